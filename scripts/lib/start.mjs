import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { build, isBuilt } from './build.mjs';
import { buildDashboard, isDashboardBuilt } from './build-dashboard.mjs';
import { together } from './compile.mjs';
import { install, isInstalled } from './install.mjs';
import { exclusively } from './lock.mjs';
import { projectFolder, step } from './project.mjs';

/** Installs and builds what is missing or stale, then runs the service in this process: signals reach it directly. */
export async function start() {
  await prepareService();
  await import(pathToFileURL(path.join(projectFolder, 'dist', 'main.js')).href);
}

/** Installs and builds what is missing or stale. */
export async function prepareService() {
  await step(prepare);
}

async function prepare() {
  if (isInstalled() && isBuilt() && isDashboardBuilt()) return;
  await exclusively(async () => {
    if (!isInstalled()) await install();
    await together([isBuilt() || build(), isDashboardBuilt() || buildDashboard()]);
  });
}
