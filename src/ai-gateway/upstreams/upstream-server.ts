import type { Dispatcher } from 'undici';
import type { OutgoingBody } from '../body/model-request.js';
import type { Task, UpstreamTarget } from '../models/model-definition.js';
import { Circuit } from './circuit.js';
import type { UpstreamCall } from './upstream-call.js';

const circuitSettings = { failuresToOpen: 5, shortestPauseMilliseconds: 1000, longestPauseMilliseconds: 60_000 };

/** A server that runs a model. */
export class UpstreamServer {
  readonly circuit = new Circuit(circuitSettings, () => performance.now());
  private readonly path: string;
  private readonly headers: Readonly<Record<string, string>>;

  /** @param dispatcher holds the connections to the server */
  constructor(
    readonly target: UpstreamTarget,
    task: Task,
    private readonly dispatcher: Dispatcher,
  ) {
    this.path = `${new URL(target.baseUrl).pathname.replace(/\/$/, '')}/${task}`;
    // Of the headers that the client has sent none goes along, so that nothing secret can.
    this.headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      // What is compressed could not be read as it passes.
      'accept-encoding': 'identity',
      'user-agent': 'keycard',
      ...(target.apiKey !== undefined && { authorization: `Bearer ${target.apiKey}` }),
    };
  }

  /** Share of the requests, relative to other servers. */
  get weight(): number {
    return this.target.weight;
  }

  /** Sends a request; the call learns what becomes of it. */
  dispatch(call: UpstreamCall, { content, lengthBytes }: OutgoingBody, requestId: string): void {
    const headers: Record<string, string> = { ...this.headers, 'x-request-id': requestId };
    if (lengthBytes !== undefined) headers['content-length'] = String(lengthBytes);
    this.dispatcher.dispatch({ method: 'POST', path: this.path, headers, body: content }, call);
  }
}
