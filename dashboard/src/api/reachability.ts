import { createStore } from './store.js';

const pollMilliseconds = 2000;
const serviceIsAway = [502, 503, 504];

/** Whether the service answers at present, as the latest requests have found. */
export const reachability = createStore<'reachable' | 'unreachable'>('reachable');

/** `fetch`, which notes whether the service is there; once it is not, asks until it is back. */
export async function watchedFetch(request: Request): Promise<Response> {
  try {
    const response = await fetch(request);
    // An AI route also answers 503 for a model that is busy, which says nothing about the service.
    const isAboutService = !new URL(request.url).pathname.startsWith('/v1/');
    if (isAboutService && serviceIsAway.includes(response.status)) noteUnreachable();
    return response;
  } catch (error) {
    if (!request.signal.aborted) noteUnreachable();
    throw error;
  }
}

/** Waits until the service answers; at once when it does. */
export async function untilReachable(): Promise<void> {
  if (reachability.get() === 'reachable' && (await isReady())) return;
  noteUnreachable();
  return new Promise((resolve) => {
    const stop = reachability.subscribe(() => {
      stop();
      resolve();
    });
  });
}

function noteUnreachable(): void {
  if (reachability.get() === 'unreachable') return;
  reachability.set('unreachable');
  void waitUntilBack();
}

async function waitUntilBack(): Promise<void> {
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
