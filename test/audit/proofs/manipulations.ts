import fc from 'fast-check';
import type { ClientBase } from 'pg';

/** A manipulation by the owner of the tables. Returns false if it changed nothing. */
export interface Manipulation {
  title: string;
  apply: (client: ClientBase) => Promise<boolean>;
}

const row = (table: string, order: string, number: number) =>
  `(select ctid from ${table} order by ${order} offset ${number} % (select count(*) from ${table}) limit 1)`;

/** Values that differ from the current one, by type. */
const otherValue: Record<string, (column: string, number: number) => string> = {
  text: (column, number) =>
    number % 2 === 0 ? `coalesce(${column}, '') || 'x'` : `coalesce(upper(${column}) || '!', '?')`,
  uuid: () => 'gen_random_uuid()',
  jsonb: (column, number) =>
    number % 2 === 0 ? `coalesce(${column}, '{}') || '{"manipulated":${number}}'` : `jsonb_build_array(${column})`,
  timestamptz: (column, number) => `${column} + interval '${1 + (number % 5000)} milliseconds'`,
  bigint: (column, number) => `${column} + ${1000 + (number % 1000)}`,
  integer: (column, number) => `${column} + ${1000 + (number % 1000)}`,
  smallint: (column) => `${column} + 8`,
  bytea: (column, number) =>
    `case when length(${column}) = 0 then '\\x00'::bytea
     else set_byte(${column}, ${number} % length(${column}), get_byte(${column}, ${number} % length(${column})) # 1) end`,
};

const columns: Record<string, Record<string, keyof typeof otherValue>> = {
  audit_events: {
    id: 'uuid',
    organization_id: 'uuid',
    occurred_at: 'timestamptz',
    action: 'text',
    actor_kind: 'text',
    actor_id: 'uuid',
    actor_email: 'text',
    actor_name: 'text',
    address: 'text',
    user_agent: 'text',
    target_kind: 'text',
    target_id: 'uuid',
    target_name: 'text',
    target_hint: 'text',
    before: 'jsonb',
    after: 'jsonb',
  },
  audit_leaves: {
    tree_id: 'uuid',
    index: 'bigint',
    position: 'bigint',
    event_id: 'uuid',
    occurred_at: 'timestamptz',
    leaf_hash: 'bytea',
    seal: 'bytea',
  },
  audit_trees: {
    id: 'uuid',
    size: 'bigint',
    edge: 'bytea',
    checkpoints: 'integer',
    checkpoint_size: 'bigint',
    checkpointed_at: 'timestamptz',
  },
  audit_checkpoints: { tree_id: 'uuid', number: 'integer', size: 'bigint', note: 'text' },
  audit_nodes: { tree_id: 'uuid', level: 'smallint', index: 'bigint', hash: 'bytea' },
};

/** By which rows are numbered. */
const orders: Record<string, string> = {
  audit_events: 'occurred_at, id',
  audit_leaves: 'position',
  audit_trees: 'id',
  audit_checkpoints: 'tree_id, number',
  audit_nodes: 'tree_id, level, index',
};

/** New rows, as copies of others. */
const insertions: Record<string, string> = {
  audit_events: `insert into audit_events select (jsonb_populate_record(event, jsonb_build_object('id', gen_random_uuid()))).* from audit_events as event`,
  audit_leaves: `insert into audit_leaves select tree_id, (select count(*) from audit_leaves where tree_id = leaf.tree_id),
    position + 100000, gen_random_uuid(), occurred_at, leaf_hash, seal from audit_leaves as leaf`,
  audit_trees: 'insert into audit_trees select gen_random_uuid(), size, edge from audit_trees as tree',
  audit_checkpoints: `insert into audit_checkpoints select tree_id,
    (select count(*) + 1 from audit_checkpoints where tree_id = checkpoint.tree_id), size, note from audit_checkpoints as checkpoint`,
  audit_nodes: 'insert into audit_nodes select tree_id, level, index + 1000, hash from audit_nodes as node',
};

const tables = Object.keys(columns);
const numbers = fc.nat(1_000_000);

const run = async (client: ClientBase, sql: string) => ((await client.query(sql)).rowCount ?? 0) > 0;

const changes = fc
  .constantFrom(...tables.flatMap((table) => Object.keys(columns[table] ?? {}).map((column) => ({ table, column }))))
  .chain(({ table, column }) =>
    fc.record({ number: numbers, value: numbers }).map(({ number, value }): Manipulation => {
      const expression = otherValue[columns[table]?.[column] ?? 'text']?.(column, value);
      const sql = `update ${table} set ${column} = ${expression} where ctid = ${row(table, orders[table] ?? '', number)}`;
      return { title: sql, apply: (client) => run(client, sql) };
    }),
  );

const nullable = [
  ['audit_leaves', 'seal'],
  ['audit_events', 'target_name'],
  ['audit_events', 'organization_id'],
  ['audit_trees', 'checkpointed_at'],
] as const;

const erasures = fc.constantFrom(...nullable).chain(([table, column]) =>
  numbers.map((number): Manipulation => {
    const sql = `update ${table} set ${column} = null where ${column} is not null and ctid = ${row(table, orders[table] ?? '', number)}`;
    return { title: sql, apply: (client) => run(client, sql) };
  }),
);

const deletions = fc.constantFrom(...tables).chain((table) =>
  numbers.map((number): Manipulation => {
    const sql = `delete from ${table} where ctid = ${row(table, orders[table] ?? '', number)}`;
    return { title: sql, apply: (client) => run(client, sql) };
  }),
);

const inserted = fc.constantFrom(...tables).chain((table) =>
  numbers.map((number): Manipulation => {
    const sql = `${insertions[table]} where ctid = ${row(table, orders[table] ?? '', number)}`;
    return { title: sql, apply: (client) => run(client, sql) };
  }),
);

/** Everything after a row. */
const truncations = fc.constantFrom(...tables).chain((table) =>
  numbers.map((number): Manipulation => {
    const sql = `with ordered as (select ctid, row_number() over (order by ${orders[table]}) as number from ${table})
      delete from ${table} where ctid in (
        select ctid from ordered where number > ${number} % (select count(*) from ${table})
      )`;
    return { title: sql, apply: (client) => run(client, sql) };
  }),
);

const emptied = fc.constantFrom(...tables).map((table): Manipulation => {
  const sql = `truncate ${table}`;
  return { title: sql, apply: async (client) => (await client.query(sql)).command === 'TRUNCATE' };
});

/** Columns that identify a row, and those that are exchanged between two rows. */
const exchanges = [
  { table: 'audit_events', key: 'id', exchanged: ['occurred_at', 'target_name', 'target_id'] },
  { table: 'audit_leaves', key: 'position', exchanged: ['leaf_hash', 'seal'] },
  { table: 'audit_leaves', key: 'position', exchanged: ['leaf_hash', 'seal', 'event_id', 'occurred_at'] },
  { table: 'audit_leaves', key: 'event_id', exchanged: ['index'] },
  { table: 'audit_leaves', key: 'event_id', exchanged: ['position'] },
  { table: 'audit_leaves', key: 'event_id', exchanged: ['index', 'position'] },
  { table: 'audit_checkpoints', key: 'number', exchanged: ['note'] },
];

/** Exchanges values of two rows of a tree. */
const reorderings = fc.constantFrom(...exchanges).chain(({ table, key, exchanged }) =>
  fc.record({ first: numbers, second: numbers }).map(({ first, second }): Manipulation => {
    const tree = table === 'audit_events' ? 'organization_id' : 'tree_id';
    const title = `exchange ${exchanged.join(', ')} of rows ${first} and ${second} of ${table}`;
    const apply = async (client: ClientBase) => {
      const rows = await client.query<Record<string, unknown>>(
        `select * from ${table} where ${tree} = (select ${tree} from ${table} where ctid = ${row(table, orders[table] ?? '', first)})
         order by ${orders[table]}`,
      );
      const [one, other] = [first, second].map((number) => rows.rows[number % rows.rows.length]);
      if (one === undefined || other === undefined || one[key] === other[key]) return false;
      // Unique columns may not have the same value for a moment.
      const conflicts = exchanged.filter((column) => ['index', 'position', 'event_id'].includes(column));
      const set = (target: Record<string, unknown>, values: Record<string, unknown>, names: string[]) =>
        client.query(
          `update ${table} set ${names.map((name, place) => `${name} = $${place + 3}`).join(', ')} where ${tree} = $1 and ${key} = $2`,
          [target[tree], target[key], ...names.map((name) => values[name])],
        );
      const elsewhere = { index: -1, position: -1, event_id: '00000000-0000-0000-0000-00000000ffff' };
      if (conflicts.length > 0) await set(one, elsewhere, conflicts);
      await set(other, one, exchanged);
      await set(one, other, exchanged);
      return true;
    };
    return { title, apply };
  }),
);

export const manipulations = fc.oneof(
  { weight: 8, arbitrary: changes },
  { weight: 1, arbitrary: erasures },
  { weight: 3, arbitrary: deletions },
  { weight: 3, arbitrary: inserted },
  { weight: 3, arbitrary: truncations },
  { weight: 1, arbitrary: emptied },
  { weight: 4, arbitrary: reorderings },
);
