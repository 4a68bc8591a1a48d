import { type Cell, change, columnsOf, readJson, select, transact } from './cell.js';

const packedTables = ['usage_by_hour', 'usage_by_day', 'usage_by_month'];
const seriesPerBatch = 200;
/** Key of the advisory lock of the replica that packs usage. */
const retentionLock = 7_402_118_355;

/** Waits until no replica packs usage. The move keeps later runs from packing the usage of its organization. */
export async function waitForPacking(source: Cell): Promise<void> {
  await transact(source, () => change(source, 'select pg_advisory_xact_lock($1)', [retentionLock]));
}

interface Series {
  id: number;
  name: string;
}

const readSeries = `
  select id, api_key_id || ' ' || model as name from usage_series where organization_id = $1 order by id`;

/** Copies the packed usage of past hours, which doesn't change while the organization moves. */
export async function copyHistory(
  source: Cell,
  target: Cell,
  organizationId: string,
  onCopied: (copied: number, of: number) => void,
): Promise<void> {
  const all = await select<Series>(source, readSeries, [organizationId]);
  const copied = new Set((await select<Series>(target, readSeries, [organizationId])).map(({ name }) => name));
  const missing = all.filter(({ name }) => !copied.has(name));
  for (let first = 0; first < missing.length; first += seriesPerBatch) {
    const ids = missing.slice(first, first + seriesPerBatch).map(({ id }) => id);
    const batch = await transact(source, () => readBatch(source, ids), 'begin isolation level repeatable read');
    await transact(target, () => writeBatch(target, batch));
    onCopied(all.length - missing.length + first + ids.length, all.length);
  }
}

/** Rows by table. */
type Batch = Map<string, string>;

async function readBatch(source: Cell, ids: number[]): Promise<Batch> {
  const batch: Batch = new Map();
  const series = await readJson(source, 'select * from usage_series where id = any ($1::integer[]) order by id', [ids]);
  batch.set('usage_series', series.rows);
  for (const table of packedTables) {
    batch.set(
      table,
      (await readJson(source, `select * from ${table} where series_id = any ($1::integer[])`, [ids])).rows,
    );
  }
  return batch;
}

/** Ids are those of the target. */
async function writeBatch(target: Cell, batch: Batch): Promise<void> {
  await change(target, 'select pg_advisory_xact_lock($1)', [retentionLock]);
  const ids = await select<{ id: number; newId: number }>(
    target,
    `with added as (
       insert into usage_series (id, organization_id, api_key_id, model)
       select (select coalesce(max(id), 0) from usage_series) + row_number() over (order by id),
         organization_id, api_key_id, model
       from json_populate_recordset(null::usage_series, $1::json)
       returning *
     )
     select one.id, added.id as "newId"
     from json_populate_recordset(null::usage_series, $1::json) as one
     join added using (organization_id, api_key_id, model)`,
    [batch.get('usage_series')],
  );
  for (const table of packedTables) {
    const columns = await columnsOf(target, table);
    const values = columns.map((name) => (name === 'series_id' ? 'ids.new_id' : `packed.${name}`)).join(', ');
    await change(
      target,
      `insert into ${table} (${columns.join(', ')})
       select ${values} from json_populate_recordset(null::${table}, $1::json) as packed
       join unnest($2::integer[], $3::integer[]) as ids (id, new_id) on ids.id = packed.series_id`,
      [batch.get(table), ids.map(({ id }) => id), ids.map(({ newId }) => newId)],
    );
  }
}
