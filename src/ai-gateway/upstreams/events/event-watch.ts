/** A stream that has to look at the clock. */
interface Watched {
  /** @param now from `performance.now()` */
  check(now: number): void;
}

const intervalMilliseconds = 1000;

const watched = new Set<Watched>();
let timer: NodeJS.Timeout | undefined;

/** Lets a stream look at the clock every second: a timer of its own, set with each chunk, would cost more. */
export function watch(stream: Watched): void {
  watched.add(stream);
  timer ??= setInterval(checkAll, intervalMilliseconds);
}

export function stopWatching(stream: Watched): void {
  watched.delete(stream);
  if (watched.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

function checkAll(): void {
  const now = performance.now();
  for (const stream of watched) stream.check(now);
}
