import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { LanguageData } from '../src/language-data.js';

const run = promisify(execFile);

/** The `tesseract` program, with the language data of the reader. */
export class NativeTesseract {
  private readonly data = new LanguageData();
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'keycard-bench-quality-'));

  private constructor(readonly version: string) {}

  /** Returns undefined if the program is not installed. */
  static async find(): Promise<NativeTesseract | undefined> {
    const version = await run('tesseract', ['--version']).catch(() => undefined);
    return version === undefined ? undefined : new NativeTesseract(version.stdout.split('\n', 1)[0] ?? '');
  }

  /** @param language one or several such as `eng+ell` */
  async read(image: Buffer, language: string): Promise<string> {
    const file = path.join(this.folder, 'page');
    writeFileSync(file, image);
    for (const code of language.split('+')) {
      writeFileSync(path.join(this.folder, `${code}.traineddata`), this.data.read(code));
    }
    const { stdout } = await run('tesseract', [file, 'stdout', '-l', language, '--psm', '3', '--oem', '1'], {
      env: { ...process.env, TESSDATA_PREFIX: this.folder, OMP_THREAD_LIMIT: '1' },
    });
    return stdout;
  }

  close(): void {
    rmSync(this.folder, { recursive: true });
  }
}
