import type { ClientBase } from 'pg';
import type { RunBatch } from '../../database/run-batch.js';
import { loadFragment, loadStatement } from '../../database/sql-file.js';
import { addTo, allKeys, columnLists, joinParts, packedTables, type SlotLength } from '../history/packed-usage.js';

/** Values that fewer series of keys have get no cohort: its sums would take about as long to read as the keys. */
const minKeys = 10;
/** Series whose cohorts change in one run of the retention task, so that other steps needn't wait for long. */
const maxChanges = 10_000;
/** Series per transaction. */
const batchSize = 200;

/** SQL for a kind of cohorts. */
interface CohortKind extends Record<string, string> {
  /** Column of the value in `usage_cohorts`. */
  value_column: string;
  /** The value of a key. */
  key_value: string;
  /** Column of `usage_series` that says which cohort includes a key. */
  cohort_column: string;
}

const cohortKinds: CohortKind[] = [
  {
    value_column: 'creator_id',
    key_value: `coalesce(created_by_id, created_by_service_account_id, ${allKeys})`,
    cohort_column: 'creator_cohort_id',
  },
  { value_column: 'tags', key_value: `coalesce(tags, '{}')`, cohort_column: 'tags_cohort_id' },
];

const changeParameters = ['seriesIds', 'cohortIds'] as const;

function transferredFacts(length: SlotLength) {
  const { name: table, timeOf } = packedTables[length];
  const fragments = { table, time: timeOf('packed.start', 'part.slot'), parts: joinParts('packed') };
  return loadFragment('usage/cohorts/transferred-facts.sql', { fragments, lists: columnLists });
}

const loadCreateCohorts = (kind: CohortKind) =>
  loadStatement('usage/cohorts/create-cohorts.sql', {
    parameters: [],
    fragments: { ...kind, all_keys: allKeys, min_keys: String(minKeys) },
  });

const loadFindChanges = ({ value_column, key_value, cohort_column }: CohortKind) =>
  loadStatement('usage/cohorts/find-changes.sql', {
    parameters: [],
    fragments: { value_column, key_value, cohort_column, all_keys: allKeys, max_changes: String(maxChanges) },
  });

const loadChangeCohorts = ({ cohort_column }: CohortKind) =>
  loadStatement('usage/cohorts/change-cohorts.sql', {
    parameters: changeParameters,
    fragments: {
      cohort_column,
      hour_facts: transferredFacts('hour'),
      day_facts: transferredFacts('day'),
      month_facts: transferredFacts('month'),
      add_to_hours: addTo('hour', 'hour_facts'),
      add_to_days: addTo('day', 'day_facts'),
      add_to_months: addTo('month', 'month_facts'),
    },
  });

export const createCohortsStatements = cohortKinds.map(loadCreateCohorts);
export const findChangesStatements = cohortKinds.map(loadFindChanges);
export const changeCohortsStatements = cohortKinds.map(loadChangeCohorts);

export const addCohortSeries = loadStatement('usage/cohorts/add-cohort-series.sql', {
  parameters: changeParameters,
  fragments: { all_keys: allKeys },
});

const readNotedChanges = `select id from usage_cohort_changes limit ${maxChanges}`;
const deleteNotedChanges = 'delete from usage_cohort_changes where id = any ($1)';

/** Deletes the cohorts that include no series. */
const deleteEmptyCohorts = `
  delete from usage_cohorts as cohort
  where not exists (select from usage_series where creator_cohort_id = cohort.id)
    and not exists (select from usage_series where tags_cohort_id = cohort.id)`;

interface Change {
  id: number;
  cohortId: number | null;
}

/** Adds keys that cohorts don't include yet, and moves those whose creator or tags have changed since. */
export async function changeCohorts(runBatch: RunBatch): Promise<void> {
  // First, so that a key that changes after its cohort was found is still noted.
  const noted = await read<{ id: string }>(runBatch, readNotedChanges);
  let isComplete = true;
  for (const [index, { text }] of findChangesStatements.entries()) {
    await read(runBatch, createCohortsStatements[index]?.text ?? '');
    const changes = await read<Change>(runBatch, text);
    if (changes.length === maxChanges) isComplete = false;
    for (let start = 0; start < changes.length; start += batchSize) {
      await runBatch((client) => changeBatch(client, index, changes.slice(start, start + batchSize)));
    }
  }
  if (!isComplete) return;
  await runBatch(async (client) => {
    await client.query(deleteNotedChanges, [noted.map(({ id }) => id)]);
    return (await client.query(deleteEmptyCohorts)).rowCount ?? 0;
  });
}

async function changeBatch(client: ClientBase, kind: number, changes: readonly Change[]): Promise<number> {
  const values = { seriesIds: changes.map(({ id }) => id), cohortIds: changes.map(({ cohortId }) => cohortId) };
  await client.query(addCohortSeries.text, addCohortSeries.bind(values));
  const statement = changeCohortsStatements[kind];
  if (statement === undefined) return 0;
  const { rows } = await client.query<{ count: number }>(statement.text, statement.bind(values));
  return rows[0]?.count ?? 0;
}

/** Runs a statement that changes nothing packed, so that the task needn't pause. */
async function read<Row>(runBatch: RunBatch, text: string): Promise<Row[]> {
  const found: Row[] = [];
  await runBatch(async (client) => {
    const { rows } = await client.query(text);
    found.push(...(rows as Row[]));
    return 0;
  });
  return found;
}
