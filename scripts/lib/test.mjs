import path from 'node:path';

import { buildAll } from './build.mjs';
import { buildDashboard, isDashboardBuilt } from './build-dashboard.mjs';
import { together } from './compile.mjs';
import { install, isInstalled } from './install.mjs';
import { exclusively } from './lock.mjs';
import { projectFolder, step } from './project.mjs';
import { runNode } from './run.mjs';

/** Installs what is missing, builds, and runs Jest on what was built; the exit code is Jest's. */
export async function test(argv) {
  await step(() =>
    exclusively(async () => {
      if (!isInstalled()) await install();
      await together([buildAll(), isDashboardBuilt() || buildDashboard()]);
    }),
  );
  const jest = path.join(projectFolder, 'node_modules', 'jest', 'bin', 'jest.js');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  process.exitCode = await step(() => runNode([...flags, jest, ...argv]));
}
