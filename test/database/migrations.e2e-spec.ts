import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';

/** The last migration of the previous release. Later ones must not break its statements. */
const previousRelease = 'AuditEventFilters1795249404889';

interface Column {
  table: string;
  column: string;
  type: string;
  nullable: boolean;
  has_default: boolean;
}

async function readColumns(dataSource: DataSource): Promise<Map<string, Column>> {
  const rows = await dataSource.query<Column[]>(`
    select table_name as table, column_name as column, format('%s %s', data_type, udt_name) as type,
      is_nullable = 'YES' as nullable, column_default is not null or is_identity = 'YES' as has_default
    from information_schema.columns where table_schema = 'public'`);
  return new Map(rows.map((row) => [`${row.table}.${row.column}`, row]));
}

describe('The migrations since the previous release', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let columns: Map<string, Column>;
  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await new DataSource(dataSourceOptions(database.connection)).initialize();
    columns = await readColumns(dataSource);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('should only add to the schema, so that the previous release keeps working', async () => {
    for (const { name: latest } of [...dataSource.migrations].reverse()) {
      if (latest === previousRelease) break;
      await dataSource.undoLastMigration({ transaction: 'each' });
    }
    expect(findBreaks(await readColumns(dataSource), columns)).toEqual([]);
  });

  it.each([
    ['a dropped column', (after: Map<string, Column>) => void after.delete('api_keys.hint'), 'api_keys.hint is gone'],
    [
      'a changed type',
      (after: Map<string, Column>) => void change(after, 'api_keys.hint', { type: 'int' }),
      'api_keys.hint has another type',
    ],
    [
      'a column that becomes required',
      (after: Map<string, Column>) => void change(after, 'api_keys.expires_at', { nullable: false }),
      'api_keys.expires_at is required',
    ],
    [
      'a new required column',
      (after: Map<string, Column>) =>
        void after.set('api_keys.new', {
          table: 'api_keys',
          column: 'new',
          type: 'text',
          nullable: false,
          has_default: false,
        }),
      'api_keys.new is required',
    ],
  ])('should be checked for %s', (_title, alter, problem) => {
    const after = new Map(columns);
    alter(after);
    expect(findBreaks(columns, after)).toEqual([problem]);
  });
});

function change(columns: Map<string, Column>, name: string, fields: Partial<Column>): void {
  const column = columns.get(name);
  if (column !== undefined) columns.set(name, { ...column, ...fields });
}

/** Returns the schema changes that break statements written for the earlier schema. */
function findBreaks(before: Map<string, Column>, after: Map<string, Column>): string[] {
  const tables = new Set([...before.values()].map(({ table }) => table));
  const lost = [...before].flatMap(([name, { type }]) => {
    const now = after.get(name);
    if (now === undefined) return [`${name} is gone`];
    return now.type === type ? [] : [`${name} has another type`];
  });
  const required = [...after].filter(([name, { table, nullable, has_default }]) => {
    const isNewlyRequired = !nullable && !has_default && (before.get(name)?.nullable ?? true);
    return tables.has(table) && isNewlyRequired;
  });
  return [...lost, ...required.map(([name]) => `${name} is required`)];
}
