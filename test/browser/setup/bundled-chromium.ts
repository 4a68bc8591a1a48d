import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Chromium } from './find-chromium.js';

const run = promisify(execFile);
const unpack = `
  import chromium from '@sparticuz/chromium';
  await chromium.executablePath();
`;

/** Replaces the package's own configuration, which refers to AWS Lambda folders. */
const fontConfiguration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/**
 * Unpacks the Chromium in `@sparticuz/chromium` for Linux on x64, with its libraries and fonts, unless that was done
 * before. It only requires glibc 2.34 or later.
 */
export async function unpackBundledChromium(cache = path.resolve('node_modules', '.cache')): Promise<Chromium> {
  const folder = path.join(cache, `keycard-chromium-${await readVersion()}`);
  if (!existsSync(folder)) await unpackTo(folder);
  return {
    executablePath: path.join(folder, 'chromium'),
    environment: {
      LD_LIBRARY_PATH: path.join(folder, 'al2023', 'lib'),
      FONTCONFIG_PATH: path.join(folder, 'fonts'),
      XDG_CACHE_HOME: path.join(folder, 'cache'),
    },
  };
}

async function readVersion(): Promise<string> {
  const file = path.resolve('node_modules', '@sparticuz', 'chromium', 'package.json');
  return (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version;
}

/** Unpacks next to the folder, then renames, so concurrent workers never see a partial result. */
async function unpackTo(folder: string): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true });
  const unpacked = await mkdtemp(`${folder}-`);
  try {
    // The package unpacks into the temporary folder, and unpacks its libraries only on AWS Lambda.
    const env = { TMPDIR: unpacked, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' };
    await run(process.execPath, ['--input-type=module', '--eval', unpack], { env });
    await writeFile(path.join(unpacked, 'fonts', 'fonts.conf'), fontConfiguration);
    await rename(unpacked, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(unpacked, { recursive: true, force: true });
  }
}
