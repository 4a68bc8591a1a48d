/** A window: ids of tokens that the model processes together. */
export type TokenIds = Uint16Array | Int32Array;

/** A request with waiting windows. */
export interface QueuedRequest<Request, Window extends TokenIds> {
  readonly organizationId: string;
  /** Sorted by length, shortest first. Windows are taken from the end. */
  waiting: PendingWindow<Request, Window>[];
}

/** A waiting window. */
export interface PendingWindow<Request, Window extends TokenIds> {
  readonly request: Request;
  /** Position in the request. */
  readonly index: number;
  readonly tokenIds: Window;
}

export interface BatchLimits {
  readonly maxWindows: number;
  /** Includes padding. */
  readonly maxTokens: number;
}

/** Number of windows to choose a batch from. */
const maxCandidates = 128;
/** Length of the shortest window in a batch, relative to the longest. */
const minLengthRatio = 0.7;
/** Places a newcomer before organizations that were just served a batch, but not before all others. */
const newcomerTokens = 32;

/** The waiting requests of one organization. */
interface Organization<Request> {
  /** Tokens served. Raised to the level of the others when the organization starts waiting. */
  servedTokens: number;
  waitingWindows: number;
  requests: Request[];
}

/**
 * The waiting windows of all requests. Organizations take turns by tokens, and requests of an organization by windows, so
 * a single sentence doesn't wait for thousands of others. Windows in a batch have similar lengths, so there is little
 * padding.
 */
export class WindowQueue<Window extends TokenIds, Request extends QueuedRequest<Request, Window>> {
  private readonly organizations = new Map<string, Organization<Request>>();
  /** Served tokens of the organization whose turn was last, before that turn. */
  private virtualTime = 0;
  private waitingWindows = 0;
  private waitingTokens = 0;

  get windowCount(): number {
    return this.waitingWindows;
  }

  get tokenCount(): number {
    return this.waitingTokens;
  }

  /** Waiting windows of one organization. */
  windowCountOf(organizationId: string): number {
    return this.organizations.get(organizationId)?.waitingWindows ?? 0;
  }

  add(request: Request): void {
    const { organizationId } = request;
    const known = this.organizations.get(organizationId);
    const organization = known ?? { servedTokens: 0, waitingWindows: 0, requests: [] };
    if (organization.waitingWindows === 0) {
      organization.servedTokens = Math.max(organization.servedTokens, this.virtualTime + newcomerTokens);
    }
    if (known === undefined) this.organizations.set(organizationId, organization);
    request.waiting.sort((left, right) => left.tokenIds.length - right.tokenIds.length);
    organization.requests.push(request);
    this.count(request.waiting, 1);
  }

  /** Drops the waiting windows of a request. */
  remove(request: Request): void {
    this.count(request.waiting, -1);
    request.waiting = [];
    const organization = this.organizations.get(request.organizationId);
    if (organization === undefined) return;
    organization.requests = organization.requests.filter((other) => other !== request);
    this.deleteIdle();
  }

  /** Takes the next batch, which includes a window of the request whose turn it is. Empty if nothing is waiting. */
  takeBatch(limits: BatchLimits): PendingWindow<Request, Window>[] {
    const candidates = this.takeCandidates();
    const batch = new Set(chooseBySimilarLength(candidates, limits));
    for (const window of candidates.reverse()) {
      if (!batch.has(window)) window.request.waiting.push(window);
    }
    this.count(batch, -1);
    this.endTurnOf(batch);
    return [...batch];
  }

  private takeCandidates(): PendingWindow<Request, Window>[] {
    const candidates: PendingWindow<Request, Window>[] = [];
    let turns = this.organizationsInTurn().map(({ requests }) => ({ requests, next: 0 }));
    while (turns.length > 0 && candidates.length < maxCandidates) {
      for (const turn of turns.slice(0, maxCandidates - candidates.length)) {
        const window = takeNext<Window, Request>(turn);
        if (window !== undefined) candidates.push(window);
      }
      turns = turns.filter(({ requests }) => requests.some(({ waiting }) => waiting.length > 0));
    }
    return candidates;
  }

  /** Waiting organizations, least served first. */
  private organizationsInTurn(): Organization<Request>[] {
    const waiting = [...this.organizations.values()].filter(({ waitingWindows }) => waitingWindows > 0);
    return waiting.sort((left, right) => left.servedTokens - right.servedTokens);
  }

  private endTurnOf(batch: ReadonlySet<PendingWindow<Request, Window>>): void {
    const served = new Set(Array.from(batch, (window) => window.request));
    const [first] = served;
    this.virtualTime = (first && this.organizations.get(first.organizationId)?.servedTokens) ?? this.virtualTime;
    for (const { request, tokenIds } of batch) {
      const organization = this.organizations.get(request.organizationId);
      if (organization !== undefined) organization.servedTokens += tokenIds.length;
    }
    for (const organizationId of new Set(Array.from(served, (request) => request.organizationId))) {
      const organization = this.organizations.get(organizationId);
      if (organization === undefined) continue;
      const { requests } = organization;
      const notServed = requests.filter((request) => !served.has(request));
      const justServed = requests.filter((request) => served.has(request));
      organization.requests = [...notServed, ...justServed].filter((request) => request.waiting.length > 0);
    }
    this.deleteIdle();
  }

  /** Deletes idle organizations that would be treated like newcomers. */
  private deleteIdle(): void {
    for (const [id, { waitingWindows, servedTokens }] of this.organizations) {
      const isNewcomer = this.waitingWindows === 0 || servedTokens <= this.virtualTime + newcomerTokens;
      if (waitingWindows === 0 && isNewcomer) this.organizations.delete(id);
    }
  }

  private count(windows: Iterable<PendingWindow<Request, Window>>, sign: 1 | -1): void {
    for (const { tokenIds, request } of windows) {
      this.waitingWindows += sign;
      this.waitingTokens += sign * tokenIds.length;
      const organization = this.organizations.get(request.organizationId);
      if (organization !== undefined) organization.waitingWindows += sign;
    }
  }
}

/** Takes the next window of an organization, whose requests take turns. */
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

/** Returns the first candidate and the nearest in length, within the limits. */
function chooseBySimilarLength<Pending extends { readonly tokenIds: TokenIds }>(
  candidates: readonly Pending[],
  limits: BatchLimits,
): Pending[] {
  const [first] = candidates;
  if (first === undefined) return [];
  const lengthDifference = (window: Pending): number => Math.abs(window.tokenIds.length - first.tokenIds.length);
  const batch = [first];
  let minLength = first.tokenIds.length;
  let maxLength = minLength;
  for (const window of candidates.slice(1).sort((left, right) => lengthDifference(left) - lengthDifference(right))) {
    const newMin = Math.min(minLength, window.tokenIds.length);
    const newMax = Math.max(maxLength, window.tokenIds.length);
    if (batch.length === limits.maxWindows || newMin < minLengthRatio * newMax) break;
    if ((batch.length + 1) * newMax > limits.maxTokens) break;
    batch.push(window);
    minLength = newMin;
    maxLength = newMax;
  }
  return batch;
}
