import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';

const page = 'dashboard/dist/index.html';
let project: TemporaryFolder;

/** A checkout with a one-line dashboard, so that it builds quickly. */
beforeEach(async () => {
  project = await makeTemporaryFolder();
  const isConfiguration = (file: string) => !/^dashboard.(src|dist)$/.test(file);
  for (const file of ['package.json', 'package-lock.json', 'openapi.json', 'scripts', 'dashboard']) {
    await cp(file, path.join(project.path, file), { recursive: true, filter: isConfiguration });
  }
  await symlink(path.resolve('node_modules'), path.join(project.path, 'node_modules'));
  await write('dashboard/src/main.tsx', "document.title = 'Keycard';\n");
});
afterEach(() => project.remove());

async function write(file: string, content: string): Promise<void> {
  const target = path.join(project.path, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, content);
}

/** Builds the dashboard as `npm start` and `npm test` do. */
function buildIfStale() {
  const library = path.join(project.path, 'scripts', 'lib');
  const program = `
    import { buildDashboard, isDashboardBuilt } from '${library}/build-dashboard.mjs';
    import { step } from '${library}/project.mjs';
    if (!isDashboardBuilt()) await step(buildDashboard);
  `;
  const argv = ['--input-type=module', '--eval', program];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  return { status, stderr, hasBuilt: stdout.includes('keycard: building the dashboard') };
}

describe('Building the dashboard', () => {
  it('should happen once, and again only after a source, dependency or API change', async () => {
    expect(buildIfStale()).toEqual({ status: 0, stderr: '', hasBuilt: true });
    expect(existsSync(path.join(project.path, page))).toBe(true);
    expect(buildIfStale().hasBuilt).toBe(false);
    for (const source of ['dashboard/src/main.tsx', 'dashboard/vite.config.ts', 'package-lock.json', 'openapi.json']) {
      await appendFile(path.join(project.path, source), '\n');
      expect(buildIfStale()).toEqual({ status: 0, stderr: '', hasBuilt: true });
      expect(buildIfStale().hasBuilt).toBe(false);
    }
  });

  it('should not happen for unrelated files', async () => {
    buildIfStale();
    await write('src/main.ts', 'export {};\n');
    await write('dashboard/src/main.spec.tsx', 'export {};\n');
    expect(buildIfStale().hasBuilt).toBe(false);
  });

  it('should happen again if the result was removed', async () => {
    buildIfStale();
    await rm(path.join(project.path, 'dashboard/dist'), { recursive: true });
    expect(buildIfStale().hasBuilt).toBe(true);
    expect(existsSync(path.join(project.path, page))).toBe(true);
  });

  it("should fail with one sentence after Vite's error, and be retried", async () => {
    await write('dashboard/src/main.tsx', 'const = 1;\n');
    for (const attempt of [buildIfStale(), buildIfStale()]) {
      expect(attempt).toMatchObject({ status: 1, hasBuilt: true });
      expect(attempt.stderr).toContain('main.tsx');
      expect(attempt.stderr).toMatch(/\nkeycard: building the dashboard failed; see the errors above\.\n$/);
    }
  });
});
