import { createStore } from './store.js';

const pollMilliseconds = 2000;
/** Statuses of a proxy that can't reach the service. */
export const unavailableStatuses = [502, 503, 504];

/** Whether the latest requests reached the service. */
export const reachability = createStore<'reachable' | 'unreachable'>('reachable');

/**
 * `fetch` that detects an outage and then polls until the service is back.
 *
 * @param send how the request is sent
 */
export async function trackedFetch(request: Request, send = fetch): Promise<Response> {
  try {
    const response = await send(request);
    // AI routes also return 503 if a model is busy.
    const isAiRoute = new URL(request.url).pathname.startsWith('/v1/');
    if (!isAiRoute && unavailableStatuses.includes(response.status)) markUnreachable();
    return response;
  } catch (error) {
    if (!request.signal.aborted) markUnreachable();
    throw error;
  }
}

/** Resolves when the service is ready, immediately if it already is. */
export async function waitUntilReachable(): Promise<void> {
  if (reachability.get() === 'reachable' && (await isReady())) return;
  markUnreachable();
  return new Promise((resolve) => {
    const stop = reachability.subscribe(() => {
      stop();
      resolve();
    });
  });
}

function markUnreachable(): void {
  if (reachability.get() === 'unreachable') return;
  reachability.set('unreachable');
  void pollUntilReady();
}

async function pollUntilReady(): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
  while (!(await isReady()));
  reachability.set('reachable');
}

function isReady(): Promise<boolean> {
  return fetch('/health/ready').then(
    ({ ok }) => ok,
    () => false,
  );
}
