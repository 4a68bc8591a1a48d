import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { fingerprint, readMark } from './fingerprint.mjs';
import { withProgress, projectFolder, StepError } from './project.mjs';
import { run, runNode } from './run.mjs';

const lockFile = path.join(projectFolder, 'package-lock.json');
const modules = path.join(projectFolder, 'node_modules');
const mark = path.join(modules, '.keycard-installed');

/** Whether node_modules matches package-lock.json for this platform. */
export function isInstalled() {
  if (readMark(mark) === expectedMark()) return true;
  if (!isInstalledByNpm()) return false;
  writeMark();
  return true;
}

/** Installs the packages in package-lock.json. */
export async function install() {
  // Not `npm ci`: it rejects a lock file written where the registry lacks another platform's binaries.
  // Warnings are hidden: they concern packages that declare a newer Node than they need.
  const options = ['--no-save', '--no-audit', '--no-fund', '--include=dev', '--include=optional', '--loglevel=error'];
  const locked = readFileSync(lockFile);
  const exitCode = await withProgress('installing packages', () => runNpm(['install', ...options]));
  if (!readFileSync(lockFile).equals(locked)) writeFileSync(lockFile, locked);
  if (exitCode !== 0) {
    throw new StepError("the packages could not be installed; see npm's output above.", exitCode);
  }
  writeMark();
}

function writeMark() {
  try {
    writeFileSync(mark, expectedMark());
  } catch {
    // The folder belongs to another user: each start checks it again.
  }
}

function expectedMark() {
  const { platform, arch, versions } = process;
  return fingerprint(projectFolder, ['package.json', 'package-lock.json'], platform, arch, versions.modules);
}

/**
 * Checks the lock file that npm wrote into node_modules, in case packages were installed without this script. Only
 * optional packages may be missing.
 */
function isInstalledByNpm() {
  const hiddenLockFile = readMark(path.join(modules, '.package-lock.json'));
  if (hiddenLockFile === undefined) return false;
  const found = JSON.parse(hiddenLockFile).packages;
  const libc = process.platform === 'linux' ? standardLibrary() : undefined;
  return Object.entries(JSON.parse(readFileSync(lockFile, 'utf8')).packages)
    .filter(([folder, wanted]) => folder !== '' && isForThisPlatform(wanted, libc))
    .every(
      ([folder, { version }]) => found[folder]?.version === version && existsSync(path.join(projectFolder, folder)),
    );
}

function isForThisPlatform({ os, cpu, libc, optional }, ourLibc) {
  const fits = (list, value) => !list || list.includes(value);
  return !optional || (fits(os, process.platform) && fits(cpu, process.arch) && fits(libc, ourLibc));
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
