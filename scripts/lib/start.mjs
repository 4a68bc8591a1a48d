import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { build, isBuilt } from './build.mjs';
import { buildDashboard, isDashboardBuilt } from './build-dashboard.mjs';
import { inParallel } from './compile.mjs';
import { install, isInstalled } from './install.mjs';
import { exclusively } from './lock.mjs';
import { projectFolder, step } from './project.mjs';

/** Installs and builds if needed, then runs the service in this process, so that it receives signals directly. */
export async function start() {
  await prepareService();
  await import(pathToFileURL(path.join(projectFolder, 'dist', 'main.js')).href);
}

/** Installs and builds if needed. */
export async function prepareService() {
  await step(prepare);
}

async function prepare() {
  if (isInstalled('service') && isBuilt() && isDashboardBuilt()) return;
  await exclusively(async () => {
    if (!isInstalled('service')) await install('service');
    await inParallel([isBuilt() || build(), isDashboardBuilt() || buildDashboard()]);
  });
}
