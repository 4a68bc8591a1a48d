import type { ProviderLimits } from '../../config/provider-limits.js';
import { type AppError, unavailable } from '../../common/errors/app-error.js';

/** The identity provider sent a response that cannot be used. */
export class ProviderRequestError extends Error {
  override name = 'ProviderRequestError';
}

/**
 * Sends a request to the identity provider and reads the whole response. Redirects are not followed: they could lead
 * a credential to another host.
 *
 * @returns a response with status 2xx or 4xx
 * @throws ProviderRequestError for another status or a body that is too large; an error of `fetch` when the response
 *   is not complete within the time limit
 */
export async function requestProvider(url: string, init: RequestInit, limits: ProviderLimits): Promise<Response> {
  const timeout = AbortSignal.timeout(limits.timeoutMilliseconds);
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  const response = await fetch(url, { ...init, redirect: 'manual', signal });
  const { status, headers } = response;
  if (status >= 500 || status === 429 || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    throw new ProviderRequestError(`${url} responded with status ${status}.`);
  }
  const body = await readBody(response, limits.bytes);
  // A response without content must not have a body, not even an empty one.
  return new Response(body.length === 0 ? null : body, { status, headers });
}

/**
 * Requests a JSON object with GET.
 *
 * @throws ProviderRequestError unless the status is 200 and the body is a JSON object
 */
export async function fetchProviderJson(url: string, limits: ProviderLimits): Promise<object> {
  return readProviderJson(url, await requestProvider(url, { headers: { accept: 'application/json' } }, limits));
}

/** @throws ProviderRequestError unless the status is 200 and the body is a JSON object */
export async function readProviderJson(url: string, response: Response): Promise<object> {
  if (response.status !== 200) throw new ProviderRequestError(`${url} responded with status ${response.status}.`);
  const value: unknown = await response.json().catch(() => undefined);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new ProviderRequestError(`The response from ${url} is not a JSON object.`);
}

/** Counts decompressed bytes, so that a small compressed body cannot become a large one. */
async function readBody(response: Response, limitBytes: number): Promise<Buffer<ArrayBuffer>> {
  const stream: AsyncIterable<Uint8Array> | null = response.body;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop early cancels the stream, which closes the connection.
  for await (const chunk of stream ?? []) {
    bytes += chunk.byteLength;
    if (bytes > limitBytes) throw new ProviderRequestError(`${response.url} sent more than ${limitBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const retryAfterSeconds = 5;

/** Runs what needs the provider; a failure becomes a 503 and its cause is logged. */
export async function reach<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    throw providerUnavailable(error);
  }
}

export function providerUnavailable(cause: unknown): AppError {
  const detail = 'The identity provider cannot be reached; try again shortly.';
  return unavailable('identity-provider-unavailable', detail, retryAfterSeconds, cause);
}
