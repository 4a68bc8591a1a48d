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

/** The dashboard's API types. */
const types = 'dashboard/src/api/schema.d.ts';
/** Files generated from the controllers. */
const generated = ['openapi.json', types];

let folder: TemporaryFolder;

beforeEach(async () => {
  folder = await makeTemporaryFolder();
});
afterEach(() => folder.remove());

describe('npm run openapi', () => {
  const inFolder = (file: string) => path.join(folder.path, file);

  it('should write the committed files without a database', async () => {
    const { exitCode } = await runNode([writer], { folder: folder.path, environment: { DATABASE_URL: '' } });
    expect(exitCode).toBe(0);
    for (const file of generated) {
      expect(await readFile(inFolder(file), 'utf8')).toBe(await readFile(file, 'utf8'));
    }
  });

  // `.ci/run` checks that it accepts the committed files.
  it('should reject only a different file with --check in one sentence, without changing it', async () => {
    await copyFile('openapi.json', inFolder('openapi.json'));
    await mkdir(path.dirname(inFolder(types)), { recursive: true });
    await writeFile(inFolder(types), 'another\n');
    expect(await runNode([writer, '--check'], { folder: folder.path })).toEqual({
      exitCode: 1,
      output: `${types} is out of date: run "npm run openapi" and commit the result.\n`,
    });
    expect(await readFile(inFolder(types), 'utf8')).toBe('another\n');
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
