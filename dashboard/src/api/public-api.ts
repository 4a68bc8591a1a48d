import createClient from 'openapi-fetch';
import { watchedFetch } from './reachability.js';
import type { paths } from './schema.js';

/** The service's routes as anybody may call them: what leads to a session, and what takes an API key. */
export const publicApi = createClient<paths>({ baseUrl: window.location.origin, fetch: watchedFetch });

/** What carries a credential, as an API key to an AI route. */
export function authorize(credential: string): { authorization: string } {
  return { authorization: `Bearer ${credential}` };
}
