import pg, { type PoolClient } from 'pg';
import { type DataSource, type EntityManager, QueryFailedError, type QueryRunner } from 'typeorm';
import { type AppError, unavailable } from '../common/errors/app-error.js';
import { FaultTolerantClient } from './fault-tolerant-client.js';

type IsolationLevel = NonNullable<Parameters<QueryRunner['startTransaction']>[0]>;

interface TransactionOptions {
  isolation?: IsolationLevel;
  /** Commits without waiting for a synchronous standby. */
  isLocal?: boolean;
  /** Called with the connection; the transaction starts only if it returns. */
  beforeStart?: (client: PoolClient) => Promise<void>;
  /** Called when the connection is free again, possibly long after the transaction was reported as failed. */
  onRelease?: () => void;
}

/** How long the caller waits for COMMIT. */
const commitPatienceMilliseconds = 5000;

/** How long COMMIT may occupy its connection, for example while PostgreSQL waits for a synchronous standby. */
const maxCommitMilliseconds = 15 * 60_000;

/** pg's types lack the timeout of a single query. */
const commitQuery = { text: 'COMMIT', query_timeout: maxCommitMilliseconds };

/**
 * Runs a transaction whose loss in a failover is harmless, such as a sign-in: it is durable on the primary but doesn't
 * wait for a synchronous standby. Never use it to revoke access.
 *
 * @throws any error from `change`; AppError 503 if the commit isn't confirmed
 */
export function transactLocally<Result>(
  dataSource: DataSource,
  change: (manager: EntityManager) => Promise<Result>,
): Promise<Result> {
  return runTransaction(dataSource.createQueryRunner(), change, { isLocal: true });
}

/**
 * Runs a transaction on its own connection. Unlike TypeORM's, it succeeds only if PostgreSQL has confirmed the commit, and
 * never returns a connection in an unknown state to the pool.
 *
 * @throws any error from `change`; AppError 503 if the commit isn't confirmed
 */
export async function runTransaction<Result>(
  runner: QueryRunner,
  change: (manager: EntityManager) => Promise<Result>,
  { isolation, isLocal = false, beforeStart, onRelease = () => undefined }: TransactionOptions,
): Promise<Result> {
  const release = async () => {
    await runner.release();
    onRelease();
  };
  let client: PoolClient;
  let result: Result;
  try {
    client = (await runner.connect()) as PoolClient;
    await beforeStart?.(client);
  } catch (error) {
    await release();
    throw error;
  }
  try {
    await runner.startTransaction(isolation);
    if (isLocal) await runner.query('set local synchronous_commit = local');
    result = await change(runner.manager);
  } catch (error) {
    await rollBack(runner, error);
    await release();
    throw error;
  }
  await confirmCommit(client, release);
  return result;
}

async function rollBack(runner: QueryRunner, error: unknown): Promise<void> {
  const client: unknown = await runner.connect().catch(() => undefined);
  if (!(client instanceof FaultTolerantClient)) return;
  // A connection that didn't respond can't be trusted to deliver the ROLLBACK.
  const isBroken = error instanceof QueryFailedError && !(error.driverError instanceof pg.DatabaseError);
  if (isBroken) client.discard();
  else await runner.query('ROLLBACK').catch(() => client.discard());
}

/** Waits a few seconds for the commit; then reports an unknown outcome and leaves the connection to the commit. */
async function confirmCommit(client: PoolClient, release: () => Promise<void>): Promise<void> {
  let isLate = false;
  const committed = commit(client)
    .catch((error: unknown) => {
      discard(client);
      throw error;
    })
    .finally(async () => {
      if (isLate) discard(client);
      await release();
    });
  // An abandoned commit may fail later.
  committed.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      reject(unconfirmed());
    }, commitPatienceMilliseconds);
  });
  await Promise.race([committed, expired]).finally(() => clearTimeout(timer));
}

/**
 * COMMIT can return without committing: PostgreSQL rolls back a transaction with a failed statement, and only warns when
 * its wait for a synchronous standby was canceled.
 */
async function commit(client: PoolClient): Promise<void> {
  const warnings: string[] = [];
  const listen = ({ message }: { message: string | undefined }) => warnings.push(message ?? '');
  client.on('notice', listen);
  try {
    const { command } = await client.query(commitQuery);
    if (command !== 'COMMIT' || warnings.length > 0) throw new Error(`COMMIT returned ${command}: ${warnings.join()}`);
  } catch (error) {
    throw error instanceof pg.DatabaseError ? error : unconfirmed(error);
  } finally {
    client.removeListener('notice', listen);
  }
}

function discard(client: PoolClient): void {
  if (client instanceof FaultTolerantClient) client.discard();
}

function unconfirmed(cause?: unknown): AppError {
  const detail = "The database hasn't confirmed the change. It may still take effect: check before you try again.";
  return unavailable('database-unavailable', detail, 1, cause);
}
