import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Bill, openBill } from './bill.js';
import { sendFailure } from './errors.js';
import { planGeneration } from './plan.js';
import { playJson, playStream } from './play.js';
import { type Dialect, dialects, type GenerationRequest, textOf } from './request.js';
import type { Script } from './script.js';
import { Sender } from './sender.js';

/** A request as the upstream received it. */
export interface ReceivedGeneration {
  /** Such as `/v1/chat/completions`. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  json: Record<string, unknown>;
}

export interface GenerationUpstream {
  /** Such as `http://127.0.0.1:41234/v1`. */
  baseUrl: string;
  /** In order of arrival. */
  requests: ReceivedGeneration[];
  /** One for each request that was accepted. */
  bills: Bill[];
  /** For requests without a script of their own, and for what theirs leaves out. */
  script: Script;
  /** Requests that have neither finished nor lost their client. */
  countOpen: () => number;
  stop: () => Promise<void>;
}

const countTokens = '/v1/messages/count_tokens';
const paths = new Map(dialects.map((dialect) => [`/v1/${dialect}`, dialect]));

/** Starts a server that generates text like OpenAI's and Anthropic's, by script, and bills it. */
export async function startGenerationUpstream(script: Script = {}): Promise<GenerationUpstream> {
  let open = 0;
  const server = createServer((incoming, response) => {
    open += 1;
    response.once('close', () => (open -= 1));
    // Clients that leave while they send are part of the tests.
    respond(upstream, incoming, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const upstream: GenerationUpstream = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: [],
    bills: [],
    script,
    countOpen: () => open,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return upstream;
}

async function respond(upstream: GenerationUpstream, incoming: IncomingMessage, response: ServerResponse) {
  const { url: path = '', headers } = incoming;
  const body = await buffer(incoming);
  const json = JSON.parse(body.toString()) as Record<string, unknown>;
  upstream.requests.push({ path, headers, body, json });
  const request = json as unknown as GenerationRequest;
  const dialect = paths.get(path);
  if (dialect !== undefined) await generate(upstream, dialect, request, response);
  else if (path === countTokens) sendJson(response, 200, { input_tokens: Math.ceil(textOf(request).length / 4) });
  else sendJson(response, 404, { error: { message: `Unknown path ${path}`, type: 'invalid_request_error' } });
}

async function generate(
  upstream: GenerationUpstream,
  dialect: Dialect,
  request: GenerationRequest,
  response: ServerResponse,
): Promise<void> {
  const plan = planGeneration(dialect, request, upstream.script);
  if (plan.script.fail !== undefined) {
    sendFailure(response, dialect, plan.script.fail);
    return;
  }
  const bill = openBill(plan);
  upstream.bills.push(bill);
  if (plan.script.isSilent) await new Sender(response, plan.script).fallSilent();
  else if (request.stream === true) await playStream(response, plan, bill);
  else await playJson(response, plan, bill);
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
