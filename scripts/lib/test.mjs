import path from 'node:path';

import { build, buildAll, isAllBuilt, isBuilt } from './build.mjs';
import { buildDashboard, isDashboardBuilt } from './build-dashboard.mjs';
import { inParallel } from './compile.mjs';
import { install, isInstalled } from './install.mjs';
import { exclusively } from './lock.mjs';
import { projectFolder, step } from './project.mjs';
import { runNode } from './run.mjs';
import { transpile } from './transpile.mjs';

/** Installs if needed, builds, and runs Jest on the built files; exits with Jest's code. */
export async function test(argv) {
  await step(() =>
    exclusively(async () => {
      if (!isInstalled('all')) await install('all');
      await inParallel([buildServiceAndTests(), isDashboardBuilt() || buildDashboard()]);
    }),
  );
  process.exitCode = await step(() => runJest(argv));
}

async function buildServiceAndTests() {
  if (!isAllBuilt()) await buildAll();
  if (!isBuilt()) await build();
}

/** Like `test`, for the tests without a database or browser, which need neither type checks nor the dashboard. */
export async function testUnits(argv) {
  await step(() =>
    exclusively(async () => {
      if (!isInstalled('all')) await install('all');
      await transpile();
    }),
  );
  process.exitCode = await step(() => runJest(['--config', 'jest.unit.config.mjs', ...argv]));
}

function runJest(argv) {
  const jest = path.join(projectFolder, 'node_modules', 'jest', 'bin', 'jest.js');
  return runNode([jest, ...argv]);
}
