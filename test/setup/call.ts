import { checkContract } from '../contract/response-contract.js';

export interface CallResponse {
  status: number;
  headers: Headers;
  /** The body, parsed if it is JSON. */
  body: unknown;
  text: string;
}

interface Call {
  /** A JWT or an API key, sent as `Authorization: Bearer …`. */
  token?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged. */
  rawBody?: string;
}

/**
 * Calls a route, such as `call(url, 'POST /api-keys', { token, body })`.
 *
 * @throws Error if the response differs from openapi.json
 */
export async function call(url: string, route: string, options: Call = {}): Promise<CallResponse> {
  const [method = '', path = ''] = route.split(' ', 2);
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    body: options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body)),
  });
  const text = await response.text();
  checkContract(method, path, { status: response.status, headers: response.headers, text });
  const isJson = text !== '' && /json\b/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : undefined, text };
}
