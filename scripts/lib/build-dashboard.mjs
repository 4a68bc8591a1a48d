import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { compile } from './compile.mjs';
import { filesBelow, fingerprint, readMark } from './fingerprint.mjs';
import { projectFolder } from './project.mjs';

const dashboard = path.join(projectFolder, 'dashboard');
const dashboardMark = path.join(dashboard, 'dist', '.keycard-built');
const sharedRules = path.join('src', 'common', 'rules');
const vite = path.join(projectFolder, 'node_modules', 'vite', 'bin', 'vite.js');

/** Whether dashboard/dist/ is up to date. */
export function isDashboardBuilt() {
  return readMark(dashboardMark) === sourcesFingerprint();
}

/** Builds dashboard/dist/ from scratch: Vite empties the folder first, including the mark. */
export async function buildDashboard() {
  const sources = sourcesFingerprint();
  // With another NODE_ENV, Vite would bundle React's development build.
  const env = { ...process.env, NODE_ENV: 'production' };
  await compile('building the dashboard', [vite, 'build', 'dashboard', '--logLevel', 'warn'], { env });
  writeFileSync(dashboardMark, sources);
}

function sourcesFingerprint() {
  const sources = ['dashboard', sharedRules].flatMap((folder) =>
    filesBelow(path.join(projectFolder, folder))
      .filter((file) => !file.startsWith(`dist${path.sep}`) && !/\.spec\.tsx?$/.test(file))
      .map((file) => path.join(folder, file)),
  );
  return fingerprint(projectFolder, ['package.json', 'package-lock.json', 'openapi.json', ...sources]);
}
