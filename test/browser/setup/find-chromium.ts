import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { unpackBundledChromium } from './bundled-chromium.js';

/** How to launch Chromium. */
export interface Chromium {
  executablePath: string;
  /** Extra environment variables. */
  environment?: Record<string, string>;
}

/** Excludes `chromium-browser`: on Ubuntu it's often a script that only explains how to install the snap. */
const names = ['google-chrome-stable', 'google-chrome', 'chromium'];
const macApplications = ['Google Chrome', 'Chromium'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);

interface Machine extends Pick<NodeJS.Process, 'env' | 'platform' | 'arch'> {
  /** The glibc version; undefined if the C library isn't glibc. */
  glibc: string | undefined;
}

/** The oldest glibc version the bundled Chromium runs on. */
const oldestGlibc = [2, 34] as const;

/**
 * Finds the browser for the tests: the one `CHROMIUM_PATH` names, else the one bundled in an npm package, else an
 * installed one. The bundled one is identical on every machine and uses half the CPU time of Chrome, but can't open a
 * window.
 *
 * @throws Error if no browser is found
 */
export async function findChromium({ env, platform, arch, glibc }: Machine = readMachine()): Promise<Chromium> {
  const chosen = env['CHROMIUM_PATH'];
  if (chosen) {
    if (await isProgram(chosen)) return { executablePath: chosen };
    throw new Error(`CHROMIUM_PATH is ${chosen}, which isn't an executable file.`);
  }
  const canRunBundled = platform === 'linux' && arch === 'x64' && isNewEnough(glibc);
  if (canRunBundled && !env['HEADED']) return unpackBundledChromium();
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
