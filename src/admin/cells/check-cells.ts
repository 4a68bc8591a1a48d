import type { AuditKey } from '../../audit/proofs/audit-key.js';
import { findEarlierReplicas } from '../../database/history/history-connection.js';
import { CommandError } from '../admin-command.js';
import { appliedMigrations, ownMigrations } from '../migrate/applied-migrations.js';
import { type Cell, select } from './cell.js';

interface OrganizationRow {
  name: string;
}

/**
 * Checks that an organization can move between two databases.
 *
 * @param key seals the audit log of the source
 * @returns its name
 * @throws CommandError that says what is in the way
 */
export async function checkCells(
  source: Cell,
  target: Cell,
  organizationId: string,
  key: AuditKey | undefined,
): Promise<string> {
  await assertThisRelease(source, 'source');
  await assertThisRelease(target, 'target');
  if ((await identityOf(source)) === (await identityOf(target))) {
    throw new CommandError(
      'The target is the same database, or a copy of it. Set --to to the database of another cell.',
    );
  }
  const [organization] = await select<OrganizationRow>(
    source,
    `select name from organizations where id = $1 and (
       deleted_at is null or exists (select from organization_moves where organization_id = $1 and direction = 'out')
     )`,
    [organizationId],
  );
  if (organization === undefined) throw new CommandError('No organization has this id. list-accounts shows names.');
  await assertSeesSessions(source);
  await assertKnownToReplicas(source, 'source');
  await assertKnownToReplicas(target, 'target');
  await assertHashed(source);
  await assertSealed(source, target, key);
  await assertFree(source, target, organizationId);
  return organization.name;
}

async function assertThisRelease(cell: Cell, name: string): Promise<void> {
  const applied = await appliedMigrations({
    query: async <Row>(sql: string) => (await cell.client.query(sql)).rows as Row[],
  });
  const own = ownMigrations();
  const missing = own.find((migration) => !applied.includes(migration));
  const unknown = applied.find((migration) => !own.includes(migration));
  if (missing === undefined && unknown === undefined) return;
  const reason =
    missing === undefined ? `has the migration ${unknown} of another release` : `lacks the migration ${missing}`;
  throw new CommandError(`The ${name} ${reason}. Run this release of Keycard in both cells, then try again.`);
}

async function identityOf(cell: Cell): Promise<string | undefined> {
  return (await select<{ id: string }>(cell, 'select id from database_identity'))[0]?.id;
}

/** The move waits for statements of replicas, which PostgreSQL hides from other roles. */
async function assertSeesSessions(source: Cell): Promise<void> {
  const hidden = await select(
    source,
    `select from pg_stat_activity
     where datname = current_database() and usename <> current_user and state is null and pid <> pg_backend_pid() limit 1`,
  );
  if (hidden.length === 0) return;
  throw new CommandError("DATABASE_URL: this role can't see the replicas' sessions. Use the role of the replicas.");
}

/**
 * Replicas of releases without moves would keep accepting keys in the source, and accept those of the target too early.
 *
 * @throws CommandError while such a replica uses the database
 */
export async function assertKnownToReplicas(cell: Cell, name: 'source' | 'target'): Promise<void> {
  if ((await select(cell, findEarlierReplicas)).length === 0) return;
  throw new CommandError(
    `A replica of an earlier release, which doesn't know about moves, uses the ${name}. Run this release on all replicas, then try again.`,
  );
}

async function assertHashed(source: Cell): Promise<void> {
  const pending = await select(source, 'select from audit_state where backfilled_to is not null');
  if (pending.length === 0) return;
  throw new CommandError('Earlier audit events of the source are still being hashed. Try again in a few minutes.');
}

/** In a log that is sealed, each leaf needs a seal. */
async function assertSealed(source: Cell, target: Cell, key: AuditKey | undefined): Promise<void> {
  if (key !== undefined) return;
  for (const cell of [source, target]) {
    if ((await select(cell, 'select from audit_state where sealed_from is not null')).length === 0) continue;
    throw new CommandError("The audit log is signed: set AUDIT_SIGNING_KEY to the source's value.");
  }
}

interface Collision {
  table: string;
  column: string;
}

/** Values that must be unique in the whole target. */
const uniqueValues: Collision[] = [
  { table: 'api_keys', column: 'id' },
  { table: 'api_keys', column: 'secret_hash' },
  { table: 'api_keys', column: 'previous_secret_hash' },
  { table: 'service_accounts', column: 'id' },
  { table: 'roles', column: 'id' },
  { table: 'webhooks', column: 'id' },
  { table: 'invitations', column: 'token_hash' },
];

const batchSize = 10_000;

/** @throws CommandError that lists what other organizations of the target already have */
async function assertFree(source: Cell, target: Cell, organizationId: string): Promise<void> {
  const found: string[] = [];
  for (const { table, column } of uniqueValues) {
    const values = await select<{ value: string }>(
      source,
      `select ${column}::text as value from ${table} where organization_id = $1 and ${column} is not null`,
      [organizationId],
    );
    let taken = 0;
    for (let first = 0; first < values.length; first += batchSize) {
      const part = values.slice(first, first + batchSize).map(({ value }) => value);
      const type = column.endsWith('id') ? 'uuid' : 'bytea';
      const rows = await select(
        target,
        `select from ${table} where ${column} = any ($1::${type}[]) and organization_id <> $2`,
        [part, organizationId],
      );
      taken += rows.length;
    }
    if (taken > 0) found.push(`${taken} of ${table} (${column})`);
  }
  if (found.length === 0) return;
  throw new CommandError(`Other organizations of the target have the same values: ${found.join(', ')}.`);
}
