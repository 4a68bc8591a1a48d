import { randomUUID } from 'node:crypto';
import { chmod, type FileHandle, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { isGzip, type LanguageData } from '../language-data.js';
import { toTiff } from './tiff.js';

/** The program runs as another user. */
const readableFolder = 0o755;
const readableFile = 0o644;
const privateFile = 0o600;
const blank = { pixels: Buffer.alloc(20 * 20, 255), width: 20, height: 20, dpi: 200 };
const uncompress = promisify(gunzip);

export const blankFileIn = (folder: string) => path.join(folder, 'blank.tif');

/**
 * Language data as the native program reads it: uncompressed files in a temporary folder, written at their first
 * use. A blank image is there, too.
 */
export class UnpackedData {
  private folder: Promise<string> | undefined;
  private readonly files = new Map<string, Promise<void>>();

  constructor(private readonly data: LanguageData) {}

  /**
   * Returns a folder with the data of the languages, and possibly of others.
   *
   * @throws Error if data is not installed, or can't be written
   */
  async folderWith(languages: readonly string[]): Promise<string> {
    const folder = await (this.folder ??= makeFolder());
    for (const language of languages) {
      const file = this.files.get(language) ?? this.unpack(language, folder);
      this.files.set(language, file);
      await file.catch((error: unknown) => {
        this.files.delete(language);
        throw error;
      });
    }
    return folder;
  }

  async remove(): Promise<void> {
    if (this.folder !== undefined) await rm(await this.folder, { recursive: true, force: true });
  }

  private async unpack(language: string, folder: string): Promise<void> {
    const bytes = await readFile(this.data.file(language));
    const file = path.join(folder, `${language}.traineddata`);
    await writeReadable(file, isGzip(bytes) ? await uncompress(bytes) : bytes);
  }
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'keycard-tesseract-'));
  await chmod(folder, readableFolder);
  await writeReadable(blankFileIn(folder), toTiff(blank));
  return folder;
}

async function writeReadable(file: string, content: Buffer): Promise<void> {
  await writeFile(file, content);
  await chmod(file, readableFile);
}

/** Returns an empty file in the folder that has no name, so that only processes that inherit it can open it. */
export async function openImageFile(folder: string): Promise<FileHandle> {
  const name = path.join(folder, randomUUID());
  const file = await open(name, 'wx+', privateFile);
  await rm(name);
  await file.chmod(readableFile);
  return file;
}
