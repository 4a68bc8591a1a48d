import type { Pool, PoolClient } from 'pg';
import { errorMessage } from '../common/errors/error-utils.js';
import { isDatabaseUnavailable } from '../common/errors/database-unavailable.js';

type Callback = (error: Error | undefined, client: PoolClient | undefined, done: PoolClient['release']) => void;

/** A connection that was used more recently is assumed to work: a check takes as long as a short query. */
const trustedIdleMilliseconds = 500;
/** New connections for one borrower. More would only delay the error while the database is down. */
const maxOpened = 2;

/**
 * Hands out only connections that work: one that was idle is checked first, and replaced if it was lost unnoticed. After a
 * restart of PostgreSQL, a pooler such as PgBouncer closes a connection only when it's used, or rejects the first statement
 * on a new one. A request that has run nothing yet can just as well use another.
 *
 * @param isOutdated whether a connection leads to a server that the database has moved away from
 */
export function replaceLostClients(pool: Pool, isOutdated: (client: PoolClient) => boolean): void {
  const releasedAt = new WeakMap<PoolClient, number>();
  const open = pool.connect.bind(pool);
  pool.on('release', (_error, client) => void releasedAt.set(client, performance.now()));

  const borrow = async (): Promise<PoolClient> => {
    for (let opened = 1; ;) {
      let client: PoolClient;
      try {
        client = await open();
      } catch (error) {
        if (opened++ >= maxOpened || !isLost(error)) throw error;
        continue;
      }
      if (isOutdated(client)) {
        client.release(true);
        continue;
      }
      const since = releasedAt.get(client);
      if (since === undefined || performance.now() - since < trustedIdleMilliseconds) return client;
      try {
        await client.query('select');
        return client;
      } catch (error) {
        client.release(true);
        if (!isLost(error)) throw error;
      }
    }
  };

  const connect = (callback?: Callback): Promise<PoolClient> | undefined => {
    if (callback === undefined) return borrow();
    borrow().then(
      (client) => callback(undefined, client, client.release.bind(client)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  };
  Object.assign(pool, { connect });
}

/** Whether the connection has failed, but not by exceeding a time limit, which the next would too. */
function isLost(error: unknown): boolean {
  return isDatabaseUnavailable(error) && !/time(d )?out/i.test(errorMessage(error));
}
