import type { ClientBase } from 'pg';

/** A row of `database_history` that the database must still have. */
export interface RememberedRow {
  /** Of `database_identity`. */
  readonly databaseId: string;
  readonly generation: number;
  readonly beat: number;
  readonly token: string;
}

/**
 * What a server's database is to a replica:
 * - `standby`: the server is in recovery
 * - `known`: it has the remembered row
 * - `unknown`: nothing is known of it that it could lack. It's another database, its history was accepted, or the
 *   remembered row is old enough to be deleted.
 * - `lost`: it lacks the remembered row, or another replica found that it lacks one
 */
export type Verdict = 'standby' | 'known' | 'unknown' | 'lost';

/** Reads the verdict about the database, its identity and its newest row. Parameters: the fields of `RememberedRow`. */
const found = `
  select identity.id, identity.generation, newest.*,
    case
      when pg_is_in_recovery() then 'standby'
      when lost_at is not null then 'lost'
      when $1::uuid is null or identity.id <> $1 or identity.generation > $2::bigint then 'unknown'
      when identity.generation = $2 and exists (select from database_history where beat = $3::bigint and token = $4::uuid)
        then 'known'
      when identity.generation = $2 and $3 < (select min(beat) from database_history) then 'unknown'
      else 'lost'
    end as verdict
  from database_identity as identity
  left join lateral (select * from database_history order by beat desc limit 1) as newest on true`;

/** The server process: no two of a cluster start in the same microsecond. */
const serverName = (time: string) => `extract(epoch from ${time})::text`;

const look = `select verdict, ${serverName('pg_postmaster_start_time()')} as server from (${found}) as found`;

/**
 * Adds a row, unless another replica did so within the last second. The message makes the statement wait for the standby
 * even then, so that every row up to the returned one is confirmed.
 */
const beat = `
  with found as materialized (${found}), added as (
    insert into database_history (beat, token, server_started_at, serving_since)
    select coalesce(beat, 0) + 1, gen_random_uuid(), pg_postmaster_start_time(),
      case when server_started_at = pg_postmaster_start_time() then serving_since
        when beat is not null then clock_timestamp() end
    from found
    where verdict in ('known', 'unknown') and (
      beat is null or server_started_at <> pg_postmaster_start_time()
      or written_at not between clock_timestamp() - interval '0.9 seconds' and clock_timestamp()
    )
    on conflict do nothing
    returning beat, token, server_started_at, serving_since
  ), newest as (
    select * from added
    union all
    select beat, token, server_started_at, serving_since from found where not exists (select from added)
  ), confirmed as materialized (
    select pg_logical_emit_message(true, 'keycard', '') from found where verdict in ('known', 'unknown')
  )
  select verdict, id as "databaseId", generation::float8, newest.beat::float8, newest.token,
    ${serverName('pg_postmaster_start_time()')} as server,
    newest.server_started_at = pg_postmaster_start_time() as "isOfServer",
    extract(epoch from clock_timestamp() - newest.serving_since)::float8 * 1000 as "servingMilliseconds"
  from found cross join newest left join confirmed on true`;

/** Doesn't wait for a standby, because a database that lost changes may have none. */
const reportLoss = `
  with own as (select set_config('synchronous_commit', 'local', true))
  update database_identity set lost_at = clock_timestamp() from own where lost_at is null`;

/** Ends this replica's earlier backends, which may wait for a standby forever. */
const endPredecessors = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = current_setting('application_name') and usename = current_user and pid <> pg_backend_pid()`;

/** The newest confirmed row, and the server that has it. */
export interface Beat extends RememberedRow {
  readonly verdict: Verdict;
  readonly server: string;
  /** Whether the server wrote the row itself. */
  readonly isOfServer: boolean | null;
  /** Since its first row; null for the first server of the database. */
  readonly servingMilliseconds: number | null;
}

const toValues = (row: RememberedRow | undefined) => [row?.databaseId, row?.generation, row?.beat, row?.token];

/** Reads what the database of a connection is to this replica. */
export async function lookAtHistory(
  client: ClientBase,
  row: RememberedRow | undefined,
): Promise<{ verdict: Verdict; server: string }> {
  const { rows } = await client.query<{ verdict: Verdict; server: string }>(look, toValues(row));
  return rows[0] ?? { verdict: 'lost', server: '' };
}

/** Continues the history. PostgreSQL has confirmed the returned row unless it sent a warning. */
export async function addToHistory(client: ClientBase, row: RememberedRow | undefined): Promise<Beat | undefined> {
  const { rows } = await client.query<Beat>(beat, toValues(row));
  return rows[0];
}

/** Lets all replicas refuse the database. */
export async function reportLostHistory(client: ClientBase): Promise<void> {
  await client.query(reportLoss);
}

export async function endPredecessorsOf(client: ClientBase): Promise<void> {
  await client.query(endPredecessors);
}

/** Keeps what is needed to recognize the database after this many seconds without a replica. */
export const historySeconds = 7 * 24 * 60 * 60;

/** Condition for rows of `database_history` to delete. */
export const oldHistory = `beat <= (select max(beat) from database_history) - ${historySeconds}`;
