import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { projectFolder } from '../../src/common/package-info.js';
import { readSql, SqlStatement } from '../../src/database/sql-file.js';
import { splitHeader } from '../../src/database/sql-text.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';

const sources = path.join(projectFolder, 'src');
const sourceFiles = readdirSync(sources, { recursive: true, encoding: 'utf8' });
const statementFiles = sourceFiles.filter((file) => file.endsWith('.sql') && !file.startsWith('database/migrations'));

const statements = await loadStatements();

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

describe.each(statementFiles)('src/%s', (file) => {
  it('should be part of a statement that a module exports', () => {
    expect(statements.flatMap(({ files }) => files)).toContain(file);
  });

  it('should say what goes in and comes out, which locks it takes, and give an example', () => {
    const { header } = splitHeader(readSql(file));
    expect(header.match(/^-- \w+:/gm)).toEqual(['-- In:', '-- Out:', '-- Locks:', '-- Example:']);
  });
});

describe.each(statements.map((statement) => ({ file: statement.files[0], ...statement })))(
  'the statement in src/$file',
  ({ header, text, parameters }) => {
    it('should have a description and an example of each parameter', () => {
      const described = new Set([...sectionsOf(header, 'In').matchAll(/^-- +:(\w+) /gm)].map(([, name]) => name));
      expect([...described].sort()).toEqual([...parameters].sort());
      expect([...exampleOf(header).keys()].sort()).toEqual([...parameters].sort());
    });

    it('should fit the schema, and accept the values of the example', async () => {
      const example = exampleOf(header);
      const values = parameters.map((name) => example.get(name)).join(', ');
      await client.query('deallocate all');
      await client.query(`prepare statement as ${text}`);
      await client.query(`explain execute statement ${values && `(${values})`}`);
    });
  },
);

/** The statements that modules of the service export, alone or in an object. */
async function loadStatements(): Promise<SqlStatement[]> {
  const compiled = path.join(import.meta.dirname, '../../src');
  const modules = sourceFiles.filter((file) => /(?<!\.spec)\.ts$/.test(file) && isLoadingStatements(file));
  const exported = await Promise.all(modules.map((file) => importModule(path.join(compiled, file))));
  return exported
    .flatMap(valuesOf)
    .flatMap((value) => (value instanceof SqlStatement ? [value] : valuesOf(value)))
    .filter((value) => value instanceof SqlStatement);
}

function isLoadingStatements(file: string): boolean {
  return /\bloadStatement[<(]/.test(readFileSync(path.join(sources, file), 'utf8'));
}

function importModule(file: string): Promise<unknown> {
  return import(pathToFileURL(file.replace(/\.ts$/, '.js')).href);
}

function valuesOf(value: unknown): unknown[] {
  return Object.values(value ?? {});
}

/** A part of headers, from its name to the next part. */
function sectionsOf(header: string, name: string): string {
  const sections = header.split(/^(?=-- \w+:)/m);
  return sections.filter((section) => section.startsWith(`-- ${name}:`)).join('');
}

/** The values in the example of a header, as SQL. */
function exampleOf(header: string): Map<string, string> {
  const lines = sectionsOf(header, 'Example').matchAll(/^-- +:(?<name>\w+) = (?<value>.+)$/gm);
  return new Map([...lines].map(({ groups = {} }) => [String(groups.name), String(groups.value)]));
}
