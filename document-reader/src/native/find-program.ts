import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** The first version with adaptive thresholds. */
const minVersion = 5;
const versionTimeoutMilliseconds = 10_000;
const advice = `install Tesseract ${minVersion} or newer, for example with apt install tesseract-ocr`;

type FoundProgram =
  { readonly program: string; readonly problem?: never } | { readonly program?: never; readonly problem: string };

/**
 * Finds the native Tesseract.
 *
 * @returns its absolute path, or what is wrong as the predicate of a sentence about what uses it
 */
export function findNativeTesseract(): FoundProgram {
  const program = findProgram('tesseract');
  if (program === undefined) return { problem: `needs the program tesseract, which is not on the PATH; ${advice}` };
  const options = { encoding: 'utf8', env: {}, timeout: versionTimeoutMilliseconds } as const;
  const { stdout } = spawnSync(program, ['--version'], options);
  const version = /^tesseract v?(\d+)[.\d]*/.exec(stdout);
  if (version === null) return { problem: `needs the program tesseract, but ${program} --version fails; ${advice}` };
  if (Number(version[1]) >= minVersion) return { program };
  return { problem: `needs a newer version than ${version[0]} in ${program}; ${advice}` };
}

/** Returns the absolute path of a program on the PATH. */
export function findProgram(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.map((folder) => path.join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
