import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { unpackShippedChromium } from './shipped-chromium.js';

/** A Chromium that can be launched. */
export interface Chromium {
  executablePath: string;
  /** Added to the environment of the process. */
  environment?: Record<string, string>;
}

/** Without `chromium-browser`: on Ubuntu that is often a script that only says how to install one. */
const names = ['google-chrome-stable', 'google-chrome', 'chromium'];
const macApplications = ['Google Chrome', 'Chromium'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);

interface Machine extends Pick<NodeJS.Process, 'env' | 'platform' | 'arch'> {
  /** Version of the C library; undefined where it isn't glibc. */
  glibc: string | undefined;
}

/** glibc that the shipped Chromium needs. */
const oldestGlibc = [2, 34] as const;

/**
 * The browser of the tests: the one `CHROMIUM_PATH` names, else the one of the npm package, which is the same on every
 * machine and takes half the CPU time of a full Chrome, else an installed one. The one of the npm package has no window.
 *
 * @throws Error when there is none
 */
export async function findChromium({ env, platform, arch, glibc }: Machine = readMachine()): Promise<Chromium> {
  const chosen = env['CHROMIUM_PATH'];
  if (chosen) {
    if (await isProgram(chosen)) return { executablePath: chosen };
    throw new Error(`CHROMIUM_PATH is ${chosen}, which is not an executable file.`);
  }
  const canRunShipped = platform === 'linux' && arch === 'x64' && isNewEnough(glibc);
  if (canRunShipped && !env['HEADED']) return unpackShippedChromium();
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const candidates = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  for (const candidate of platform === 'darwin' ? [...macApplications, ...candidates] : candidates) {
    if (await isProgram(candidate)) return { executablePath: candidate };
  }
  throw new Error('The browser tests need Chrome or Chromium: install it, or set CHROMIUM_PATH to its executable.');
}

function readMachine(): Machine {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return { env: process.env, platform: process.platform, arch: process.arch, glibc: header.glibcVersionRuntime };
}

function isNewEnough(glibc: string | undefined): boolean {
  const [major = 0, minor = 0] = (glibc ?? '').split('.').map(Number);
  return major > oldestGlibc[0] || (major === oldestGlibc[0] && minor >= oldestGlibc[1]);
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
