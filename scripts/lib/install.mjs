import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { fingerprint, readMark } from './fingerprint.mjs';
import { withProgress, projectFolder, StepError } from './project.mjs';
import { run, runNode } from './run.mjs';

const lockFile = path.join(projectFolder, 'package-lock.json');
const modules = path.join(projectFolder, 'node_modules');
const mark = path.join(modules, '.keycard-installed');
const workspaces = ['dashboard', 'document-reader', 'scripts'];
const manifests = ['package.json', ...workspaces.map((name) => `${name}/package.json`), 'package-lock.json'];

/**
 * What is installed: `service` is what building and running the service and the dashboard needs, and `all` also what
 * tests, linters and benchmarks need, the `devDependencies`.
 *
 * @typedef {'service' | 'all'} Scope
 */

/**
 * Whether node_modules matches package-lock.json for this platform.
 *
 * @param {Scope} needed
 */
export function isInstalled(needed) {
  const scopes = needed === 'all' ? ['all'] : ['all', 'service'];
  if (scopes.some((scope) => readMark(mark) === markOf(scope))) return true;
  const installed = scopes.find(isInstalledByNpm);
  if (installed === undefined) return false;
  writeMark(installed);
  return true;
}

/**
 * Installs the packages in package-lock.json. Where everything was installed before, it stays so.
 *
 * @param {Scope} needed
 */
export async function install(needed) {
  const scope = Object.values(readInstalled()).some(({ dev }) => dev) ? 'all' : needed;
  // Not `npm ci`: it rejects a lock file written where the registry lacks another platform's binaries.
  // Warnings are hidden: they concern packages that declare a newer Node than they need.
  const options = ['--no-save', '--no-audit', '--no-fund', '--include=optional', '--loglevel=error'];
  const locked = readFileSync(lockFile);
  const exitCode = await withProgress('installing packages', () =>
    runNpm(['install', ...options, scope === 'all' ? '--include=dev' : '--omit=dev']),
  );
  if (!readFileSync(lockFile).equals(locked)) writeFileSync(lockFile, locked);
  if (exitCode !== 0) {
    throw new StepError("the packages could not be installed; see npm's output above.", exitCode);
  }
  writeMark(scope);
}

function writeMark(scope) {
  try {
    writeFileSync(mark, markOf(scope));
  } catch {
    // The folder belongs to another user: each start checks it again.
  }
}

function markOf(scope) {
  const { platform, arch, versions } = process;
  return fingerprint(projectFolder, manifests, scope, platform, arch, versions.modules);
}

/**
 * Checks the lock file that npm wrote into node_modules, in case packages were installed without this script. Only
 * optional packages may be missing.
 */
function isInstalledByNpm(scope) {
  const found = readInstalled();
  const libc = process.platform === 'linux' ? standardLibrary() : undefined;
  return Object.entries(JSON.parse(readFileSync(lockFile, 'utf8')).packages)
    .filter(([folder, wanted]) => folder !== '' && isNeeded(wanted, libc) && (scope === 'all' || !wanted.dev))
    .every(
      ([folder, { version }]) => found[folder]?.version === version && existsSync(path.join(projectFolder, folder)),
    );
}

/** Returns the packages in node_modules, according to npm. */
function readInstalled() {
  const hiddenLockFile = readMark(path.join(modules, '.package-lock.json'));
  return hiddenLockFile === undefined ? {} : JSON.parse(hiddenLockFile).packages;
}

/** Optional packages for any platform are dependencies of one for another platform. */
function isNeeded({ os, cpu, libc, optional }, ourLibc) {
  const fits = (list, value) => !list || list.includes(value);
  const isForThisPlatform = fits(os, process.platform) && fits(cpu, process.arch) && fits(libc, ourLibc);
  return !optional || ((os || cpu || libc) && isForThisPlatform);
}

function standardLibrary() {
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
}

function runNpm(argv) {
  const npm = [
    process.env.npm_execpath,
    path.join(path.dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    path.join(path.dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ].find((file) => file && path.basename(file) === 'npm-cli.js' && existsSync(file));
  return npm ? runNode([npm, ...argv]) : run('npm', argv);
}
