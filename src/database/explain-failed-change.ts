import { errorCode, errorMessage } from '../common/errors/error-utils.js';
import { isDatabaseUnavailable } from '../common/errors/database-unavailable.js';
import { StartupError } from '../common/startup-error.js';
import type { DatabaseConnection } from '../config/database-connection.js';
import { FaultTolerantClient } from './fault-tolerant-client.js';

/** SQLSTATE insufficient_privilege. */
const insufficientPrivilege = '42501';
/** SQLSTATE disk_full. */
const diskFull = '53100';

interface Owner {
  role: string;
  table: string | null;
  owner: string | null;
  others: number;
}

/** The role, and the first table in the schema whose owner's rights it doesn't have. */
const findOwner = `
  select current_user as role, min(relname) as table, min(owner) as owner, greatest(count(relname)::int - 1, 0) as others
  from (values (1)) as always left join (
    select relname::text, pg_get_userbyid(relowner)::text as owner from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and not pg_has_role(current_user, relowner, 'usage')
  ) as foreign_tables on true`;

/**
 * Turns an error of a migration or a restore that the operator can fix into one sentence.
 *
 * @param what has failed, such as "The database could not be migrated"
 * @returns a StartupError, or the same error if it is a defect
 */
export async function explainFailedChange(
  what: string,
  error: unknown,
  database: DatabaseConnection,
): Promise<unknown> {
  if (error instanceof StartupError) return error;
  const code = errorCode(error) ?? '';
  const problem = await describe(code, errorMessage(error), database);
  if (problem === undefined) return error;
  const explained = new StartupError(`${what}: ${problem}`);
  explained.cause = error;
  return explained;
}

async function describe(code: string, message: string, database: DatabaseConnection): Promise<string | undefined> {
  if (code === insufficientPrivilege) return describeOwner(message, database);
  if (code === diskFull) return `the disk of PostgreSQL is full (${message}). Free some space, and try again.`;
  return isDatabaseUnavailable({ code, message }) ? `the connection was lost (${message}). Try again.` : undefined;
}

async function describeOwner(message: string, database: DatabaseConnection): Promise<string> {
  const found = await readOwner(database).catch(() => undefined);
  const role = found?.role ?? database.user;
  if (found === undefined || found.table === null) {
    return `${message}. Make the role ${role} the owner of the database.`;
  }
  const { table, owner, others } = found;
  const tables = others === 0 ? `the table ${table} belongs` : `the table ${table} and ${others} others belong`;
  return (
    `${message}. In the database, ${tables} to the role ${owner}, but Keycard connects as ${role}. ` +
    `Migrate with the DATABASE_URL of ${owner} (npm run admin -- migrate), or give the tables to ${role}: ` +
    `reassign owned by "${owner}" to "${role}".`
  );
}

async function readOwner(database: DatabaseConnection): Promise<Owner | undefined> {
  const client = new FaultTolerantClient({ ...database, connectionTimeoutMillis: 5000, query_timeout: 5000 });
  try {
    await client.connect();
    return (await client.query<Owner>(findOwner)).rows[0];
  } finally {
    client.discard();
  }
}
