import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { StartupError } from '../../../common/startup-error.js';
import { areDetectable } from './worker/recognition/languages.js';
import { isLatin, scriptOf } from './worker/recognition/scripts.js';

const scope = '@tesseract.js-data';
const require = createRequire(import.meta.url);

/**
 * Returns the path of a language's recognition data.
 *
 * @throws Error if its package is not installed
 */
export function languageFile(language: string): string {
  const manifest = require.resolve(`${scope}/${language}/package.json`);
  return join(dirname(manifest), '4.0.0_best_int', `${language}.traineddata.gz`);
}

/** Returns the languages whose data is installed, in alphabetical order. */
export function installedLanguages(): string[] {
  const folders = (require.resolve.paths(scope) ?? []).map((folder) => join(folder, scope)).filter(existsSync);
  return [...new Set(folders.flatMap((folder) => readdirSync(folder)))].filter(isInstalled).sort();
}

/** Languages that documents may be in. */
export interface LanguageCandidates {
  /** The most likely first. */
  readonly languages: readonly string[];
  /** Whether they are those installed, in any script, and not chosen. */
  readonly areAutomatic: boolean;
}

/** Returns the languages to detect if none are chosen: those that can be told apart by their words or their script. */
export function autoLanguages(installed: readonly string[]): LanguageCandidates {
  const inLatin = installed.filter((language) => areDetectable([language]) && language !== 'eng');
  const inOtherScripts = installed.filter((language) => scriptOf(language) !== undefined && !isLatin(language));
  return { languages: ['eng', ...inLatin, ...inOtherScripts], areAutomatic: true };
}

/** @throws StartupError if the data of a language is not installed */
export function requireLanguages(languages: readonly string[]): void {
  const missing = languages.find((language) => !isInstalled(language));
  if (missing === undefined) return;
  throw new StartupError(`Data for the OCR language ${missing} is not installed. Run npm install ${scope}/${missing}`);
}

function isInstalled(language: string): boolean {
  try {
    return existsSync(languageFile(language));
  } catch {
    return false;
  }
}
