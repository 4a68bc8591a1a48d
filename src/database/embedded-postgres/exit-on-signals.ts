import { constants } from 'node:os';

const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/**
 * Turns signals into a normal exit, for tools without their own signal handlers. Otherwise Node skips its `exit` event, and
 * the embedded PostgreSQL keeps running.
 */
export function exitOnSignals(): void {
  for (const signal of signals) {
    if (!process.listeners(signal).includes(exit)) process.on(signal, exit);
  }
}

function exit(signal: NodeJS.Signals): void {
  process.exit(128 + constants.signals[signal]);
}
