import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { errorMessage } from './error-message.js';
import { DataFolderError, MissingLanguageError } from './errors.js';
import { areDetectable } from './worker/recognition/languages.js';
import { isLatin, scriptOf } from './worker/recognition/scripts.js';

const scope = '@tesseract.js-data';
const require = createRequire(import.meta.url);
const dataFile = /^(\w{1,29})\.traineddata(?:\.gz)?$/;
/** Tesseract's data for detecting scripts and for equations. */
const otherData = ['osd', 'equ'];

/** Tesseract's recognition data for languages: files in a folder, and installed packages. */
export class LanguageData {
  constructor(private readonly folder?: string) {}

  /**
   * Returns the languages whose data is installed, in alphabetical order.
   *
   * @throws DataFolderError if the folder can't be read
   */
  languages(): string[] {
    const scopes = (require.resolve.paths(scope) ?? []).map((folder) => path.join(folder, scope)).filter(existsSync);
    const packages = scopes.flatMap((folder) => readdirSync(folder)).filter(isPackage);
    const files = this.filesInFolder().flatMap((name) => dataFile.exec(name)?.[1] ?? []);
    return [...new Set([...packages, ...files])].filter((name) => !otherData.includes(name)).sort();
  }

  /** @throws MissingLanguageError, DataFolderError */
  requireAll(languages: readonly string[]): void {
    const installed = this.languages();
    const missing = languages.find((language) => !installed.includes(language));
    if (missing !== undefined) throw new MissingLanguageError(missing, `${scope}/${missing}`);
  }

  /**
   * Returns the data of a language.
   *
   * @throws Error if it isn't installed
   */
  read(language: string): Buffer {
    const bytes = readFileSync(this.file(language));
    return isGzip(bytes) ? gunzipSync(bytes) : bytes;
  }

  /**
   * Returns the file with the data of a language, which may be compressed. A file in the folder replaces a package's.
   *
   * @throws Error if it isn't installed
   */
  file(language: string): string {
    const { folder } = this;
    const names = folder === undefined ? [] : [`${language}.traineddata`, `${language}.traineddata.gz`];
    const file = names.map((name) => path.join(folder ?? '', name)).find((candidate) => existsSync(candidate));
    return file ?? packageFile(language);
  }

  private filesInFolder(): string[] {
    if (this.folder === undefined) return [];
    try {
      return readdirSync(this.folder);
    } catch (cause) {
      throw new DataFolderError(errorMessage(cause), { cause });
    }
  }
}

/** @throws Error if the package is not installed */
function packageFile(language: string): string {
  const manifest = require.resolve(`${scope}/${language}/package.json`);
  return path.join(path.dirname(manifest), '4.0.0_best_int', `${language}.traineddata.gz`);
}

function isPackage(language: string): boolean {
  try {
    return existsSync(packageFile(language));
  } catch {
    return false;
  }
}

export function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Languages that documents may be in. */
export interface LanguageCandidates {
  /** The most likely first. */
  readonly languages: readonly string[];
  /** Whether they are those installed, in any script, and not chosen. */
  readonly areAutomatic: boolean;
}

/** Returns the languages to detect by default: those with distinctive words or a script of their own. */
export function autoLanguages(installed: readonly string[]): LanguageCandidates {
  const inLatin = installed.filter((language) => areDetectable([language]) && language !== 'eng');
  const inOtherScripts = installed.filter((language) => scriptOf(language) !== undefined && !isLatin(language));
  return { languages: ['eng', ...inLatin, ...inOtherScripts], areAutomatic: true };
}
