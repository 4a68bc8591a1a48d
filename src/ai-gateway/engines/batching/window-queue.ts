/** The ids of the tokens that a model is to see together. */
export type TokenIds = Uint16Array | Int32Array;

/** Windows of one request that wait for a worker. */
export interface QueuedRequest<Request, Window extends TokenIds> {
  /** Shortest first; taken from the end. */
  waiting: PendingWindow<Request, Window>[];
}

/** One window; `index` is its place in the request. */
export interface PendingWindow<Request, Window extends TokenIds> {
  readonly request: Request;
  readonly index: number;
  readonly tokenIds: Window;
}

export interface BatchLimits {
  readonly maxWindows: number;
  /** Counts padding too. */
  readonly maxTokens: number;
}

/** Windows looked at to find some of similar length. */
const LOOKAHEAD = 128;
/** The shortest window of a batch has at least this part of the longest one's tokens. */
const LEAST_FILL = 0.7;

/**
 * Waiting windows of all requests. Requests take turns, one window each, so a single sentence does not wait
 * for the thousands of another request; a batch holds windows of similar length, so little is padding.
 */
export class WindowQueue<Window extends TokenIds, Request extends QueuedRequest<Request, Window>> {
  private requests: Request[] = [];
  private windows = 0;
  private tokens = 0;

  get windowCount(): number {
    return this.windows;
  }

  get tokenCount(): number {
    return this.tokens;
  }

  add(request: Request): void {
    request.waiting.sort((left, right) => left.tokenIds.length - right.tokenIds.length);
    this.count(request.waiting, 1);
    this.requests.push(request);
  }

  /** Drops what still waits of a request. */
  remove(request: Request): void {
    this.count(request.waiting, -1);
    request.waiting = [];
    this.requests = this.requests.filter((other) => other !== request);
  }

  /** The next batch, empty when nothing waits. The request whose turn it is always gets a place in it. */
  takeBatch(limits: BatchLimits): PendingWindow<Request, Window>[] {
    const candidates = this.takeCandidates();
    const batch = new Set(similarInLength(candidates, limits));
    for (const window of candidates.reverse()) {
      if (!batch.has(window)) window.request.waiting.push(window);
    }
    this.count(batch, -1);
    this.endTurnOf(new Set(Array.from(batch, (window) => window.request)));
    return [...batch];
  }

  private takeCandidates(): PendingWindow<Request, Window>[] {
    const candidates: PendingWindow<Request, Window>[] = [];
    let turn = this.requests;
    while (turn.length > 0 && candidates.length < LOOKAHEAD) {
      for (const request of turn.slice(0, LOOKAHEAD - candidates.length)) {
        const window = request.waiting.pop();
        if (window !== undefined) candidates.push(window);
      }
      turn = turn.filter((request) => request.waiting.length > 0);
    }
    return candidates;
  }

  private endTurnOf(served: ReadonlySet<Request>): void {
    const others = this.requests.filter((request) => !served.has(request));
    this.requests = [...others, ...served].filter((request) => request.waiting.length > 0);
  }

  private count(windows: Iterable<PendingWindow<Request, Window>>, sign: 1 | -1): void {
    for (const { tokenIds } of windows) {
      this.windows += sign;
      this.tokens += sign * tokenIds.length;
    }
  }
}

/** The first candidate and those nearest to it in length, as far as the limits and little padding allow. */
function similarInLength<Pending extends { readonly tokenIds: TokenIds }>(
  candidates: readonly Pending[],
  limits: BatchLimits,
): Pending[] {
  const [first] = candidates;
  if (first === undefined) return [];
  const difference = (window: Pending): number => Math.abs(window.tokenIds.length - first.tokenIds.length);
  const batch = [first];
  let shortest = first.tokenIds.length;
  let longest = shortest;
  for (const window of candidates.slice(1).sort((left, right) => difference(left) - difference(right))) {
    const nextShortest = Math.min(shortest, window.tokenIds.length);
    const nextLongest = Math.max(longest, window.tokenIds.length);
    if (batch.length === limits.maxWindows || nextShortest < LEAST_FILL * nextLongest) break;
    if ((batch.length + 1) * nextLongest > limits.maxTokens) break;
    batch.push(window);
    shortest = nextShortest;
    longest = nextLongest;
  }
  return batch;
}
