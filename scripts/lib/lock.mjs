import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { projectFolder } from './project.mjs';

const lockFile = path.join(projectFolder, 'node_modules', '.keycard-setup.lock');
const pollMilliseconds = 100;

/** Lets one process at a time install and build, so that concurrent starts don't write the same files. */
export async function exclusively(action) {
  mkdirSync(path.dirname(lockFile), { recursive: true });
  for (let waited = false; !tryLock(); waited = true) {
    if (!waited) console.log('keycard: waiting for another process to install or build …');
    await delay(pollMilliseconds);
  }
  const unlock = () => rmSync(lockFile, { force: true });
  process.once('exit', unlock);
  try {
    return await action();
  } finally {
    process.removeListener('exit', unlock);
    unlock();
  }
}

function tryLock() {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isHolderAlive()) rmSync(lockFile, { force: true });
    return false;
  }
}

function isHolderAlive() {
  try {
    const pid = Number(readFileSync(lockFile, 'utf8'));
    // Empty between its creation and the write of the pid.
    if (pid === 0) return true;
    if (pid === process.pid) return false;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
