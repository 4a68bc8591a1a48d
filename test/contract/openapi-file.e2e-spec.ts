import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import { runNode } from './run-node.js';

const writer = path.resolve('build/scripts/write-openapi.js');
const redocly = path.resolve('node_modules/@redocly/cli/bin/cli.js');
/** Disables telemetry and update checks. */
const offline = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** Files generated from the controllers: the document and the dashboard's API types. */
const generated = ['openapi.json', 'dashboard/src/api/schema.d.ts'];

let folder: TemporaryFolder;

beforeEach(async () => {
  folder = await makeTemporaryFolder();
});
afterEach(() => folder.remove());

describe('npm run openapi', () => {
  const inFolder = (file: string) => path.join(folder.path, file);

  async function copyGenerated(): Promise<void> {
    await mkdir(inFolder('dashboard/src/api'), { recursive: true });
    for (const file of generated) await copyFile(file, inFolder(file));
  }

  it('should write the committed files without a database', async () => {
    const { exitCode } = await runNode([writer], { folder: folder.path, environment: { DATABASE_URL: '' } });
    expect(exitCode).toBe(0);
    for (const file of generated) {
      expect(await readFile(inFolder(file), 'utf8')).toBe(await readFile(file, 'utf8'));
    }
  });

  it('should accept the committed files with --check', async () => {
    await copyGenerated();
    expect(await runNode([writer, '--check'], { folder: folder.path })).toEqual({ exitCode: 0, output: '' });
  });

  it('should reject different files with --check in one sentence each, without changing them', async () => {
    await copyGenerated();
    for (const file of generated) await writeFile(inFolder(file), 'another\n');
    expect(await runNode([writer, '--check'], { folder: folder.path })).toEqual({
      exitCode: 1,
      output: generated
        .map((file) => `${file} is out of date: run "npm run openapi" and commit the result.\n`)
        .join(''),
    });
    for (const file of generated) expect(await readFile(inFolder(file), 'utf8')).toBe('another\n');
  });
});

describe('redocly lint', () => {
  const lint = (file: string) =>
    runNode([redocly, 'lint', file, '--config', 'redocly.yaml', '--format', 'json'], { environment: offline });
  const problemsOf = (output: string) => {
    const report = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)) as {
      totals: { errors: number; warnings: number };
      problems: { ruleId: string }[];
    };
    return { ...report.totals, rules: report.problems.map(({ ruleId }) => ruleId) };
  };

  it('should find neither errors nor warnings in openapi.json', async () => {
    const { exitCode, output } = await lint('openapi.json');
    expect(problemsOf(output)).toMatchObject({ errors: 0, warnings: 0, rules: [] });
    expect(exitCode).toBe(0);
  });

  it('should report an example that violates its schema', async () => {
    const file = path.join(folder.path, 'wrong.json');
    const document = await readFile('openapi.json', 'utf8');
    await writeFile(file, document.replace(/(?<="examples": \[\s*)"kc_4fT9q"/, '"kc_"'));
    const { exitCode, output } = await lint(file);
    expect(problemsOf(output).rules).toContain('no-invalid-schema-examples');
    expect(exitCode).toBe(1);
  });
});

describe("Spectral's oas rules", () => {
  it('should find nothing in openapi.json', async () => {
    const linter = new spectral.Spectral();
    linter.setRuleset({ extends: oas as RulesetDefinition });
    const findings = await linter.run(await readFile('openapi.json', 'utf8'));
    expect(findings.map(({ code, path: place, message }) => ({ code, place, message }))).toEqual([]);
  });
});
