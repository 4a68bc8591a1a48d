import { renameSync, writeFileSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';

const writeMilliseconds = 250;

/** Pauses of a process to collect garbage, since it started. */
export interface RecordedPauses {
  count: number;
  milliseconds: number;
}

/** Preloaded into a service with `--import`. Keeps its pauses in the file that PAUSES_FILE names. */
const file = process.env['PAUSES_FILE'];
if (file !== undefined) {
  const pauses: RecordedPauses = { count: 0, milliseconds: 0 };
  const write = () => {
    writeFileSync(`${file}.new`, JSON.stringify(pauses));
    renameSync(`${file}.new`, file);
  };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      pauses.count += 1;
      pauses.milliseconds += duration;
    }
  }).observe({ entryTypes: ['gc'] });
  write();
  setInterval(write, writeMilliseconds).unref();
}
