import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { unpackShippedChromium } from './shipped-chromium.js';

/** A Chromium that can be launched. */
export interface Chromium {
  executablePath: string;
  /** What it needs in its environment beside the usual. */
  environment?: Record<string, string>;
}

/** Without `chromium-browser`: on Ubuntu that is often a script that only says how to install one. */
const names = ['google-chrome-stable', 'google-chrome', 'chromium'];
const macApplications = ['Google Chrome', 'Chromium'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);

/** The browser of the tests: the one that `CHROMIUM_PATH` names, else an installed one, else that of the npm package. */
export async function findChromium({
  env,
  platform,
  arch,
}: Pick<NodeJS.Process, 'env' | 'platform' | 'arch'> = process): Promise<Chromium> {
  const chosen = env['CHROMIUM_PATH'];
  if (chosen) {
    if (await isProgram(chosen)) return { executablePath: chosen };
    throw new Error(`CHROMIUM_PATH is ${chosen}, which is not a program that can be started.`);
  }
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const places = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  for (const place of platform === 'darwin' ? [...macApplications, ...places] : places) {
    if (await isProgram(place)) return { executablePath: place };
  }
  if (platform === 'linux' && arch === 'x64') return unpackShippedChromium();
  throw new Error('The browser tests need Chrome or Chromium: install it, or set CHROMIUM_PATH to where it is.');
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
