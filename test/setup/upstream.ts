import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { ModelDefinition, UpstreamTarget } from '../../src/config/model-definition.js';

/** A request as an upstream received it. */
export interface ReceivedRequest {
  url: string;
  headers: IncomingHttpHeaders;
  /** Undefined until it is complete. */
  body: Buffer | undefined;
  /** Whether the connection was lost before the end of the body. */
  isBroken: boolean;
}

export interface Upstream {
  /** Such as `http://127.0.0.1:41234/v1`. */
  baseUrl: string;
  /** In order of arrival. */
  requests: ReceivedRequest[];
  /** Responds to requests. Tests replace it. */
  respond: (response: ServerResponse, request: ReceivedRequest) => unknown;
  countConnections: () => Promise<number>;
  /** Ends all connections and rejects new ones. */
  stop: () => Promise<void>;
}

/** Starts a real HTTP server; tests choose its responses. */
export async function startUpstream(respond: Upstream['respond'] = respondWithEmbeddings()): Promise<Upstream> {
  const server = createServer((incoming, response) => {
    const { url = '', headers } = incoming;
    const request: ReceivedRequest = { url, headers, body: undefined, isBroken: false };
    incoming.on('error', () => (request.isBroken = true));
    upstream.requests.push(request);
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.once('end', () => {
      request.body = Buffer.concat(chunks);
      upstream.respond(response, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const upstream: Upstream = {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests: [],
    respond,
    countConnections: promisify(server.getConnections.bind(server)),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return upstream;
}

/** Returns a response in the format of OpenAI's embeddings endpoint. */
export function embeddingsText(model: string, tokens = 8, embedding = '[0.5,-0.5]'): string {
  const usage = `"usage": {"prompt_tokens": ${tokens}, "total_tokens": ${tokens}}`;
  return `{"object": "list", "data": [{"object": "embedding", "index": 0, "embedding": ${embedding}}], "model": "${model}", ${usage}}\n`;
}

/** Responds with an embedding from the requested model. */
export function respondWithEmbeddings(tokens = 8): Upstream['respond'] {
  return (response, { body }) => {
    const { model } = JSON.parse(String(body)) as { model: string };
    respondWithJson(response, 200, embeddingsText(model, tokens));
  };
}

export function respondWithJson(response: ServerResponse, status: number, text: string, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}

/** A URL where nothing listens, as the port is privileged. */
export const nowhere = 'http://127.0.0.1:1/v1';

type Served = Pick<UpstreamTarget, 'baseUrl'> & Partial<UpstreamTarget>;

/** Returns a model `small`, named `remote-small` upstream. */
export function upstreamModel(targets: Served[], fields: Partial<ModelDefinition> = {}): ModelDefinition {
  const defaults = { apiKey: 'upstream-secret', model: 'remote-small', weight: 1, timeoutSeconds: 10 };
  return {
    id: 'small',
    aliases: [],
    task: 'embeddings',
    ownedBy: 'test',
    createdSeconds: 0,
    servedBy: { targets: targets.map((target) => ({ ...defaults, ...target })) },
    ...fields,
  };
}
