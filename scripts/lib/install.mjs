import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { fingerprint, readMark } from './fingerprint.mjs';
import { announced, projectFolder, StepError } from './project.mjs';
import { run, runNode } from './run.mjs';

const lockFile = path.join(projectFolder, 'package-lock.json');
const modules = path.join(projectFolder, 'node_modules');
const mark = path.join(modules, '.keycard-installed');

/** Whether node_modules is what package-lock.json asks of this machine. */
export function isInstalled() {
  if (readMark(mark) === wanted()) return true;
  if (!isInstalledByNpm()) return false;
  leaveMark();
  return true;
}

/** Installs what package-lock.json asks. */
export async function install() {
  // `npm ci` refuses a lock file that was written where the registry lacks some other platform's binaries.
  // Its warnings are about packages that ask for a newer Node than they need: nothing that a newcomer can act on.
  const options = ['--no-save', '--no-audit', '--no-fund', '--include=dev', '--include=optional', '--loglevel=error'];
  const locked = readFileSync(lockFile);
  const exitCode = await announced('installing packages', () => runNpm(['install', ...options]));
  if (!readFileSync(lockFile).equals(locked)) writeFileSync(lockFile, locked);
  if (exitCode !== 0) {
    throw new StepError('the packages could not be installed; what npm says above tells why.', exitCode);
  }
  leaveMark();
}

function leaveMark() {
  try {
    writeFileSync(mark, wanted());
  } catch {
    // Packages that only another user can write: then each start looks at them again.
  }
}

function wanted() {
  const { platform, arch, versions } = process;
  return fingerprint(projectFolder, ['package.json', 'package-lock.json'], platform, arch, versions.modules);
}

/** Somebody ran npm themselves: npm's own note of what it installed tells. Only optional packages may be missing. */
function isInstalledByNpm() {
  const note = readMark(path.join(modules, '.package-lock.json'));
  if (note === undefined) return false;
  const found = JSON.parse(note).packages;
  const libc = process.platform === 'linux' ? standardLibrary() : undefined;
  return Object.entries(JSON.parse(readFileSync(lockFile, 'utf8')).packages)
    .filter(([folder, wish]) => folder !== '' && isForThisMachine(wish, libc))
    .every(
      ([folder, { version }]) => found[folder]?.version === version && existsSync(path.join(projectFolder, folder)),
    );
}

function isForThisMachine({ os, cpu, libc, optional }, ourLibc) {
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
