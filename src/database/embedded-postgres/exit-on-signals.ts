import { constants } from 'node:os';

const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/**
 * For tools without signal handlers of their own: turns a signal, such as that of a closed terminal, into an ordinary
 * exit. Otherwise Node ends without its `exit` event, and the embedded PostgreSQL keeps running.
 */
export function exitOnSignals(): void {
  for (const signal of signals) {
    if (!process.listeners(signal).includes(exit)) process.on(signal, exit);
  }
}

function exit(signal: NodeJS.Signals): void {
  process.exit(128 + constants.signals[signal]);
}
