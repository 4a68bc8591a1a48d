/** A table whose rows leave the source once the target serves, because requests that still run there write to it. */
export interface HandedTable {
  name: string;
  /** Which rows are taken first, in the order in which requests lock them. */
  order: string;
  rowsPerBatch: number;
  /** SQL of a field `email` that the rows get on the way. */
  email?: string;
  /** SQL that adds the rows `$1`, a JSON array, to the target. */
  add: (columns: readonly string[]) => string;
}

/** Adds rows that the target doesn't have. */
const addMissing = (name: string) => (columns: readonly string[]) => `
  insert into ${name} (${columns.join(', ')})
  select ${columns.join(', ')} from json_populate_recordset(null::${name}, $1::json) on conflict do nothing`;

const maxSum = '9000000000000000000';

/** Adds numbers to those of the same row. Only costs are large enough to reach the end of bigint. */
const addUp = (name: string, key: readonly string[]) => (columns: readonly string[]) => {
  const totals = columns
    .filter((column) => !key.includes(column))
    .map(
      (column) => `${column} = case when num_nonnulls(${name}.${column}, excluded.${column}) > 0 then
      least(coalesce(${name}.${column}, 0)::numeric + coalesce(excluded.${column}, 0), ${maxSum})::bigint end`,
    );
  return `
    insert into ${name} (${columns.join(', ')})
    select ${columns.join(', ')} from json_populate_recordset(null::${name}, $1::json)
    order by ${key.join(', ')}
    on conflict (${key.join(', ')}) do update set ${totals.join(', ')}`;
};

const usageKey = ['organization_id', 'hour', 'api_key_id', 'model', 'latency_bucket'];
const failureKey = ['organization_id', 'hour', 'api_key_id', 'model', 'status', 'code'];

/** The numbers of earlier chunks are lower than those of the target's. */
const addChunks = `
  insert into request_chunks (api_key_id, is_failure, number, organization_id, count, last_at, fingerprints, requests)
  select api_key_id, is_failure, coalesce((
      select min(number) from request_chunks as own
      where own.api_key_id = chunk.api_key_id and own.is_failure = chunk.is_failure
    ), 0) - row_number() over (partition by api_key_id, is_failure order by number desc),
    organization_id, count, last_at, coalesce(fingerprints, ''), requests
  from json_populate_recordset(null::request_chunks, $1::json) as chunk
  where exists (select from api_keys where id = api_key_id)`;

/** Events that were dispatched get the positions before all others, so that they aren't dispatched again. */
const addEvents = `
  insert into events (id, organization_id, type, occurred_at, data, position)
  select id, organization_id, type, occurred_at, data, case when position is not null then
    least(0, (select min(position) from events)) - row_number() over (order by position desc nulls last) end
  from json_populate_recordset(null::events, $1::json)
  on conflict (id) do nothing`;

const addDeliveries = (columns: readonly string[]) => `
  insert into webhook_deliveries (${columns.join(', ')})
  select ${columns.map((name) => (name === 'position' ? 'case when delivery.position is not null then events.position end' : `delivery.${name}`)).join(', ')}
  from json_populate_recordset(null::webhook_deliveries, $1::json) as delivery
  left join events on events.id = delivery.event_id
  on conflict (id) do nothing`;

/** Accounts that were matched by email have another id in the target. Those that are only in the source keep theirs. */
const addDeletedKeys = (columns: readonly string[]) => `
  insert into deleted_api_keys (${columns.join(', ')})
  select ${columns.map((name) => (name === 'created_by_id' ? creatorOfDeleted : `deleted.${name}`)).join(', ')}
  from json_array_elements($1::json) as row
  cross join lateral json_populate_record(null::deleted_api_keys, row) as deleted
  on conflict do nothing`;

const creatorOfDeleted = `coalesce(
  (select id from users where id = deleted.created_by_id),
  (select id from users where email = row->>'email' and id in (
    select user_id from memberships where memberships.organization_id = deleted.organization_id
    union all select user_id from former_members where former_members.organization_id = deleted.organization_id
  )),
  deleted.created_by_id
)`;

/** In the order in which they are handed over. */
export const handedTables: readonly HandedTable[] = [
  { name: 'usage', order: usageKey.join(', '), rowsPerBatch: 5000, add: addUp('usage', usageKey) },
  {
    name: 'failure_counts',
    order: failureKey.join(', '),
    rowsPerBatch: 5000,
    add: addUp('failure_counts', failureKey),
  },
  { name: 'failed_requests', order: 'occurred_at desc', rowsPerBatch: 2000, add: addMissing('failed_requests') },
  {
    name: 'request_chunks',
    order: 'api_key_id, is_failure, number desc',
    rowsPerBatch: 200,
    add: () => addChunks,
  },
  { name: 'limit_notices', order: 'noticed_at, id', rowsPerBatch: 2000, add: addMissing('limit_notices') },
  { name: 'limit_checks', order: 'due_at, owner_id', rowsPerBatch: 2000, add: addMissing('limit_checks') },
  {
    name: 'deleted_api_keys',
    order: 'id',
    rowsPerBatch: 5000,
    email: '(select email from users where users.id = created_by_id)',
    add: addDeletedKeys,
  },
  { name: 'leak_reports', order: 'reported_at', rowsPerBatch: 5000, add: addMissing('leak_reports') },
  { name: 'events', order: 'position desc nulls first', rowsPerBatch: 2000, add: () => addEvents },
  { name: 'webhook_deliveries', order: 'created_at', rowsPerBatch: 2000, add: addDeliveries },
];
