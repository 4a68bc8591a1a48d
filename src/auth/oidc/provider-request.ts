import { startTimeout } from '../../common/deadline.js';
import { type AppError, unavailable } from '../../common/errors/app-error.js';
import type { ProviderLimits } from '../../config/provider-limits.js';

/** An unusable response from the identity provider. */
export class ProviderRequestError extends Error {
  override name = 'ProviderRequestError';
}

/**
 * Sends a request to the identity provider and reads the whole response. Doesn't follow redirects, which could send a
 * credential to another host.
 *
 * @returns a response with status 2xx or 4xx
 * @throws ProviderRequestError for another status or a body over the limit; an error of `fetch` if the response isn't
 *   complete in time
 */
export async function requestProvider(url: string, init: RequestInit, limits: ProviderLimits): Promise<Response> {
  const timeout = startTimeout(limits.timeoutMilliseconds);
  const signal = init.signal ? AbortSignal.any([init.signal, timeout.signal]) : timeout.signal;
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal });
    const { status, headers } = response;
    if (status >= 500 || status === 429 || (status >= 300 && status < 400)) {
      await response.body?.cancel();
      throw new ProviderRequestError(`${url} responded with status ${status}.`);
    }
    const body = await readBody(response, limits.bytes);
    // Status 204 doesn't allow a body, not even an empty one.
    return new Response(body.length === 0 ? null : body, { status, headers });
  } finally {
    timeout.clear();
  }
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

/** Counts decompressed bytes, so a small compressed body can't expand past the limit. */
async function readBody(response: Response, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const stream: AsyncIterable<Uint8Array> | null = response.body;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop early cancels the stream, which closes the connection.
  for await (const chunk of stream ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new ProviderRequestError(`${response.url} sent more than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** @throws AppError 503 if the request fails; its cause is logged */
export async function withProviderErrors<Result>(request: () => Promise<Result>): Promise<Result> {
  try {
    return await request();
  } catch (error) {
    throw providerUnavailable(error);
  }
}

/** A 503 with `Retry-After: 5`. */
export function providerUnavailable(cause: unknown): AppError {
  const detail = 'The identity provider is unavailable. Try again shortly.';
  return unavailable('identity-provider-unavailable', detail, 5, cause);
}
