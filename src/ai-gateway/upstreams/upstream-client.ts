import type { Dispatcher } from 'undici';
import type { UpstreamTarget } from '../../config/model-definition.js';
import type { OutgoingBody } from '../body/model-request.js';
import { UpstreamHealth } from './upstream-health.js';
import type { UpstreamProtocol } from './upstream-protocol.js';
import type { ResponseFields } from './upstream-response.js';

const circuitSettings = { failuresToOpen: 5, minPauseMilliseconds: 1000, maxPauseMilliseconds: 60_000 };

/** What requests to a target have in common if they have the same protocol. */
interface Route {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What is searched for in responses. */
  readonly responseFields: ResponseFields;
}

/** Sends requests to one target of a model. Knows its paths, headers, connections and circuit. */
export class UpstreamClient {
  readonly circuit: Circuit;
  private readonly routes = new Map<UpstreamProtocol, Route>();

  /**
   * @param dispatcher holds the connections to the upstream
   * @param health gets to know how requests ended
   * @param onCircuitChange called when the circuit opens or closes
   */
  constructor(
    readonly target: UpstreamTarget,
    private readonly dispatcher: Dispatcher,
    readonly health = new UpstreamHealth(),
    onCircuitChange?: (isOpen: boolean) => void,
  ) {
    this.circuit = new Circuit(circuitSettings, () => performance.now(), onCircuitChange);
  }

  /** Share of the requests, relative to other targets. */
  get weight(): number {
    return this.target.weight;
  }

  /** What is searched for in responses. */
  fieldsOf(protocol: UpstreamProtocol): ResponseFields {
    return this.routeOf(protocol).responseFields;
  }

  /** Sends a request, whose handler gets the response. */
  dispatch(
    handler: Dispatcher.DispatchHandler,
    protocol: UpstreamProtocol,
    { content, lengthBytes }: OutgoingBody,
    ownHeaders: Readonly<Record<string, string>>,
  ): void {
    const { path, headers: commonHeaders } = this.routeOf(protocol);
    const headers: Record<string, string> = { ...commonHeaders, ...ownHeaders };
    if (lengthBytes !== undefined) headers['content-length'] = String(lengthBytes);
    this.dispatcher.dispatch({ method: 'POST', path, headers, body: content }, handler);
  }

  private routeOf(protocol: UpstreamProtocol): Route {
    const known = this.routes.get(protocol);
    if (known !== undefined) return known;
    const { path, authenticate, usageFields, completeUsage } = protocol;
    const { apiKey, baseUrl } = this.target;
    const route: Route = {
      path: `${new URL(baseUrl).pathname.replace(/\/$/, '')}${path}`,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        // A compressed response couldn't be read as it passes.
        'accept-encoding': 'identity',
        'user-agent': 'keycard',
        ...(apiKey !== undefined && authenticate(apiKey, this.target)),
      },
      responseFields: { usageFields, wanted: new Set(['model', ...usageFields.keys()]), completeUsage },
    };
    this.routes.set(protocol, route);
    return route;
  }
}

export interface CircuitSettings {
  /** Consecutive failures before the circuit opens. */
  failuresToOpen: number;
  /** How long it stays open at first. Doubles after each failed probe. */
  minPauseMilliseconds: number;
  maxPauseMilliseconds: number;
}

/** How a request ended. `unknown` if it was canceled before it showed anything about the upstream. */
export type Outcome = 'success' | 'failure' | 'unknown';

export const circuitStates = ['closed', 'half-open', 'open'] as const;
export type CircuitState = (typeof circuitStates)[number];

/** Permission to send one request. Must be returned with the outcome. */
export interface Pass {
  readonly isProbe: boolean;
}

/**
 * Protects a failing upstream: after some consecutive failures it gets no requests for a while, then one probe. If that
 * succeeds, the circuit closes.
 */
export class Circuit {
  private failuresInRow = 0;
  private pauseMilliseconds: number;
  /** Undefined while the circuit is closed. */
  private openUntil: number | undefined;
  private isProbing = false;

  /**
   * @param now monotonic clock in milliseconds
   * @param onChange called when it opens and when it closes, but not after each failed probe
   */
  constructor(
    private readonly settings: CircuitSettings,
    private readonly now: () => number,
    private readonly onChange: (isOpen: boolean) => void = () => undefined,
  ) {
    this.pauseMilliseconds = settings.minPauseMilliseconds;
  }

  /** Undefined if no request may be sent now. Every pass must be returned by `leave`. */
  enter(): Pass | undefined {
    if (this.openUntil === undefined) return { isProbe: false };
    if (this.isProbing || this.now() < this.openUntil) return undefined;
    this.isProbing = true;
    return { isProbe: true };
  }

  leave({ isProbe }: Pass, outcome: Outcome): void {
    if (isProbe) this.isProbing = false;
    // A request sent before the circuit opened shows nothing new.
    if (outcome === 'unknown' || isProbe !== (this.openUntil !== undefined)) return;
    if (outcome === 'success') this.close();
    else this.countFailure(isProbe);
  }

  /** Time until the next probe may be sent; 0 if a request may be sent now. */
  millisecondsToProbe(): number {
    return this.openUntil === undefined ? 0 : Math.max(0, this.openUntil - this.now());
  }

  /** `half-open` if the next request is a probe, or one is running. */
  get state(): CircuitState {
    if (this.openUntil === undefined) return 'closed';
    return this.isProbing || this.millisecondsToProbe() === 0 ? 'half-open' : 'open';
  }

  private close(): void {
    if (this.openUntil !== undefined) this.onChange(false);
    this.failuresInRow = 0;
    this.openUntil = undefined;
    this.pauseMilliseconds = this.settings.minPauseMilliseconds;
  }

  private countFailure(isProbe: boolean): void {
    const { failuresToOpen, maxPauseMilliseconds } = this.settings;
    this.failuresInRow += 1;
    if (!isProbe && this.failuresInRow < failuresToOpen) return;
    if (isProbe) this.pauseMilliseconds = Math.min(this.pauseMilliseconds * 2, maxPauseMilliseconds);
    if (this.openUntil === undefined) this.onChange(true);
    this.openUntil = this.now() + this.pauseMilliseconds;
  }
}
