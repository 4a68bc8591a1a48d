import createClient from 'openapi-fetch';
import { watchedFetch } from './reachability.js';
import type { paths } from './schema.js';

/** The service's routes as anybody may call them: what leads to a session, and what takes an API key. */
export const publicApi = createClient<paths>({ baseUrl: window.location.origin, fetch: watchedFetch });
