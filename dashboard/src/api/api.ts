import createClient from 'openapi-fetch';
import { session } from '../session/session.js';
import { trackedFetch } from './reachability.js';
import type { paths } from './schema.js';

/** Client for the management API, authenticated as the signed-in user. */
export const api = createClient<paths>({
  baseUrl: window.location.origin,
  fetch: (request) => session.fetch(request, trackedFetch),
});
