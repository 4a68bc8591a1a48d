/** The ids of the tokens that a model is to see together. */
export type TokenIds = Uint16Array | Int32Array;

/** Windows of one request that wait for a worker. */
export interface QueuedRequest<Request, Window extends TokenIds> {
  readonly organizationId: string;
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

/** Lets a newcomer pass organizations that were just served a batch, but not again and again. */
const NEWCOMER_TOKENS = 32;

/** The waiting requests of one organization. */
interface Organization<Request> {
  /** Tokens it has been served; less for one that has nothing waiting while others are served. */
  served: number;
  windows: number;
  requests: Request[];
}

/**
 * Waiting windows of all requests. Organizations take turns by tokens, and the requests of each take turns, one window
 * each: a single sentence does not wait for the thousands of another request or organization. A batch holds windows of
 * similar length, so little is padding.
 */
export class WindowQueue<Window extends TokenIds, Request extends QueuedRequest<Request, Window>> {
  private readonly organizations = new Map<string, Organization<Request>>();
  /** Tokens served to the organization whose turn it was last. */
  private now = 0;
  private windows = 0;
  private tokens = 0;

  get windowCount(): number {
    return this.windows;
  }

  get tokenCount(): number {
    return this.tokens;
  }

  /** How many windows of the organization are waiting. */
  windowCountOf(organizationId: string): number {
    return this.organizations.get(organizationId)?.windows ?? 0;
  }

  add(request: Request): void {
    const { organizationId } = request;
    const known = this.organizations.get(organizationId);
    const organization = known ?? { served: 0, windows: 0, requests: [] };
    if (organization.windows === 0) organization.served = Math.max(organization.served, this.now + NEWCOMER_TOKENS);
    if (known === undefined) this.organizations.set(organizationId, organization);
    request.waiting.sort((left, right) => left.tokenIds.length - right.tokenIds.length);
    organization.requests.push(request);
    this.count(request.waiting, 1);
  }

  /** Drops the windows of a request that are still waiting. */
  remove(request: Request): void {
    this.count(request.waiting, -1);
    request.waiting = [];
    const organization = this.organizations.get(request.organizationId);
    if (organization === undefined) return;
    organization.requests = organization.requests.filter((other) => other !== request);
    this.forgetIdle();
  }

  /** The next batch, empty when nothing waits. The request whose turn it is always gets a place in it. */
  takeBatch(limits: BatchLimits): PendingWindow<Request, Window>[] {
    const candidates = this.takeCandidates();
    const batch = new Set(similarInLength(candidates, limits));
    for (const window of candidates.reverse()) {
      if (!batch.has(window)) window.request.waiting.push(window);
    }
    this.count(batch, -1);
    this.endTurnOf(batch);
    return [...batch];
  }

  private takeCandidates(): PendingWindow<Request, Window>[] {
    const candidates: PendingWindow<Request, Window>[] = [];
    let turns = this.inOrder().map(({ requests }) => ({ requests, next: 0 }));
    while (turns.length > 0 && candidates.length < LOOKAHEAD) {
      for (const turn of turns.slice(0, LOOKAHEAD - candidates.length)) {
        const window = takeNext<Window, Request>(turn);
        if (window !== undefined) candidates.push(window);
      }
      turns = turns.filter(({ requests }) => requests.some(({ waiting }) => waiting.length > 0));
    }
    return candidates;
  }

  /** The organizations that wait; the one that was served least is first. */
  private inOrder(): Organization<Request>[] {
    const waiting = [...this.organizations.values()].filter(({ windows }) => windows > 0);
    return waiting.sort((left, right) => left.served - right.served);
  }

  private endTurnOf(batch: ReadonlySet<PendingWindow<Request, Window>>): void {
    const served = new Set(Array.from(batch, (window) => window.request));
    const [first] = served;
    this.now = (first && this.organizations.get(first.organizationId)?.served) ?? this.now;
    for (const { request, tokenIds } of batch) {
      const organization = this.organizations.get(request.organizationId);
      if (organization !== undefined) organization.served += tokenIds.length;
    }
    for (const organizationId of new Set(Array.from(served, (request) => request.organizationId))) {
      const organization = this.organizations.get(organizationId);
      if (organization === undefined) continue;
      const { requests } = organization;
      const others = requests.filter((request) => !served.has(request));
      const own = requests.filter((request) => served.has(request));
      organization.requests = [...others, ...own].filter((request) => request.waiting.length > 0);
    }
    this.forgetIdle();
  }

  /** Organizations that would come back like newcomers. */
  private forgetIdle(): void {
    for (const [id, { windows, served }] of this.organizations) {
      if (windows === 0 && (this.windows === 0 || served <= this.now + NEWCOMER_TOKENS)) this.organizations.delete(id);
    }
  }

  private count(windows: Iterable<PendingWindow<Request, Window>>, sign: 1 | -1): void {
    for (const { tokenIds, request } of windows) {
      this.windows += sign;
      this.tokens += sign * tokenIds.length;
      const organization = this.organizations.get(request.organizationId);
      if (organization !== undefined) organization.windows += sign;
    }
  }
}

/** The next window of an organization, whose requests take turns. */
function takeNext<Window extends TokenIds, Request extends QueuedRequest<Request, Window>>(turn: {
  readonly requests: readonly Request[];
  next: number;
}): PendingWindow<Request, Window> | undefined {
  const { requests } = turn;
  for (let tried = 0; tried < requests.length; tried += 1) {
    const window = requests[turn.next % requests.length]?.waiting.pop();
    turn.next += 1;
    if (window !== undefined) return window;
  }
  return undefined;
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
