import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { StartupError } from '../../../common/startup-error.js';
import { areDetectable } from './worker/recognition/languages.js';

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

/** Returns the languages to detect if none are configured, the most likely first. */
export function autoLanguages(installed: readonly string[]): string[] {
  const detectable = installed.filter((language) => areDetectable([language]));
  return ['eng', ...detectable.filter((language) => language !== 'eng')];
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
