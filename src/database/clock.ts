import { Raw } from 'typeorm';

/**
 * SQL for the current time, by the database's clock. Not `now()`, which is the start of the transaction: after waiting
 * for a lock, it would accept something that has expired since. New rows use `now()`, the default of `createdAt`, so
 * that their lifetime is exact.
 */
export const currentTime = 'clock_timestamp()';

/** Matches a column with a time in the future. */
export const inFuture = () => Raw((column) => `${column} > ${currentTime}`);
