import { useEffect, useState, useSyncExternalStore } from 'react';

const stepMilliseconds = 10_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for all: a page may show a thousand times. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => listeners.forEach((notify) => notify()), stepMilliseconds);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The present in milliseconds since 1970, which moves on while the component is shown. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => subscribe(() => setNow(Date.now())), []);
  return now;
}

/** What can be said at present; the component is rendered again when that is something else, and not before. */
export function usePresent(describe: (now: number) => string): string {
  return useSyncExternalStore(subscribe, () => describe(Date.now()));
}
