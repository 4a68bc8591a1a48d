import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Writes a generated file; with `--check` on the command line, only checks that it is up to date. */
export async function writeOrCheck(file: string, content: string): Promise<void> {
  if (!process.argv.includes('--check')) {
    await mkdir(path.dirname(file), { recursive: true });
    return writeFile(file, content);
  }
  const committed = await readFile(file, 'utf8').catch(() => undefined);
  if (committed === content) return;
  console.error(`${file} is out of date: run "npm run openapi" and commit the result.`);
  process.exitCode = 1;
}
