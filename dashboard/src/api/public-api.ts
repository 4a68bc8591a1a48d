import createClient from 'openapi-fetch';
import { trackedFetch } from './reachability.js';
import type { paths } from './schema.js';

/** Client for routes that don't use the session: sign-in, and AI endpoints called with an API key. */
export const publicApi = createClient<paths>({ baseUrl: window.location.origin, fetch: trackedFetch });

/** Returns an `Authorization` header with an API key or access token. */
export function bearerHeader(credential: string): { authorization: string } {
  return { authorization: `Bearer ${credential}` };
}
