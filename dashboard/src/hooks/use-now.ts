import { useEffect, useState, useSyncExternalStore } from 'react';

const stepMilliseconds = 10_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Shares one timer, because a page can show hundreds of times. */
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

/** The current time in milliseconds since 1970, updated every 10 seconds. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => subscribe(() => setNow(Date.now())), []);
  return now;
}

/** A text that depends on the current time. The component rerenders only when the text changes. */
export function useTimeText(describe: (now: number) => string): string {
  return useSyncExternalStore(subscribe, () => describe(Date.now()));
}
