import { request as sendRequest } from 'node:http';
import type { Dialect } from './generation-upstream/request.js';

/** Returns the body of a request in a dialect. */
export function generationBody(dialect: Dialect, model: string, prompt: string, fields: object = {}): object {
  const message = { role: 'user', content: prompt };
  const inputs = {
    'chat/completions': { messages: [message] },
    completions: { prompt, max_tokens: 1000 },
    responses: { input: prompt },
    messages: { messages: [message], max_tokens: 1000 },
  };
  return { model, ...inputs[dialect], ...fields };
}

/** What a client saw of a response. */
export interface SeenResponse {
  /** Undefined if there was none. */
  status: number | undefined;
  text: string;
  /** Whether it ended as HTTP says it should. */
  isWhole: boolean;
}

interface SendOptions {
  url: string;
  dialect: Dialect;
  key: string;
  body: object | string;
  headers?: Record<string, string>;
  /** Disconnects after this many bytes of the response's body; at 0, as soon as the request is sent. */
  leaveAt?: number | undefined;
  /** Disconnects when it's aborted. */
  signal?: AbortSignal;
  /** Called with everything received so far. */
  onText?: (text: string) => void;
}

/** Sends a request on a connection of its own, and resolves when the connection is closed. */
export async function sendGeneration(options: SendOptions): Promise<SeenResponse> {
  const { url, dialect, key, body, headers, leaveAt, signal, onText } = options;
  const seen: SeenResponse = { status: undefined, text: '', isWhole: false };
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve) => {
    const credentials = dialect === 'messages' ? { 'x-api-key': key } : { authorization: `Bearer ${key}` };
    const request = sendRequest(`${url}/v1/${dialect}`, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...credentials, ...headers },
    });
    request.once('response', (response) => {
      seen.status = response.statusCode;
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        onText?.(Buffer.concat(chunks).toString());
        if (leaveAt !== undefined && length >= leaveAt) request.destroy();
      });
      response.once('end', () => (seen.isWhole = true));
      response.on('error', () => undefined);
    });
    // Broken connections are part of the tests.
    request.on('error', () => undefined);
    request.once('close', resolve);
    signal?.addEventListener('abort', () => request.destroy());
    request.end(typeof body === 'string' ? body : JSON.stringify(body), () => {
      if (leaveAt === 0) request.destroy();
    });
  });
  return { ...seen, text: Buffer.concat(chunks).toString() };
}

const terminalEvents: Record<Dialect, RegExp> = {
  'chat/completions': /data: \[DONE\]\r?\n\r?\n$/,
  completions: /data: \[DONE\]\r?\n\r?\n$/,
  responses: /event: response\.(completed|incomplete|failed)\r?\ndata: .*\r?\n\r?\n$/,
  messages: /event: message_stop\r?\ndata: .*\r?\n\r?\n$/,
};

/** Whether a stream ended like a success. */
export const sawTerminalEvent = (dialect: Dialect, text: string) => terminalEvents[dialect].test(text);
