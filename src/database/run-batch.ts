import type { ClientBase } from 'pg';

/** Runs a part of a task in a transaction of its own, if no other replica does, and returns its result, a number of rows. */
export type RunBatch = (work: (client: ClientBase) => Promise<number>) => Promise<number>;
