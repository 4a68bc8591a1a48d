import type { Dispatcher } from 'undici';
import type { OutgoingBody } from '../body/model-request.js';
import type { Task, UpstreamTarget } from '../../config/model-definition.js';
import { Circuit } from './circuit.js';

const circuitSettings = { failuresToOpen: 5, shortestPauseMilliseconds: 1000, longestPauseMilliseconds: 60_000 };

/** An upstream that serves a model: its path, headers, connections and circuit. */
export class UpstreamServer {
  readonly circuit = new Circuit(circuitSettings, () => performance.now());
  private readonly path: string;
  private readonly headers: Readonly<Record<string, string>>;

  /** @param dispatcher holds the connections to the upstream */
  constructor(
    readonly target: UpstreamTarget,
    task: Task,
    private readonly dispatcher: Dispatcher,
  ) {
    this.path = `${new URL(target.baseUrl).pathname.replace(/\/$/, '')}/${task}`;
    // None of the client's headers are forwarded, so that no secret is.
    this.headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      // A compressed response couldn't be read as it passes.
      'accept-encoding': 'identity',
      'user-agent': 'keycard',
      ...(target.apiKey !== undefined && { authorization: `Bearer ${target.apiKey}` }),
    };
  }

  /** Share of the requests, relative to other upstreams. */
  get weight(): number {
    return this.target.weight;
  }

  /** Sends a request, whose handler gets the response. */
  dispatch(handler: Dispatcher.DispatchHandler, { content, lengthBytes }: OutgoingBody, requestId: string): void {
    const headers: Record<string, string> = { ...this.headers, 'x-request-id': requestId };
    if (lengthBytes !== undefined) headers['content-length'] = String(lengthBytes);
    this.dispatcher.dispatch({ method: 'POST', path: this.path, headers, body: content }, handler);
  }
}
