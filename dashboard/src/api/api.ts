import createClient from 'openapi-fetch';
import { session } from '../session/session.js';
import { watchedFetch } from './reachability.js';
import type { paths } from './schema.js';

/** The service's management routes, called with the session of who is signed in. */
export const api = createClient<paths>({
  baseUrl: window.location.origin,
  fetch: (request) => session.fetch(request, watchedFetch),
});
