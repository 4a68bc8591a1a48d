import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { StartupError } from '../../../common/startup-error.js';

/**
 * Returns the path of a language's recognition data.
 *
 * @throws Error if its package is not installed
 */
export function languageFile(language: string): string {
  const manifest = createRequire(import.meta.url).resolve(`${packageOf(language)}/package.json`);
  return join(dirname(manifest), '4.0.0_best_int', `${language}.traineddata.gz`);
}

/** @throws StartupError if the data of a language is not installed */
export function requireLanguages(languages: readonly string[]): void {
  for (const language of languages) {
    try {
      languageFile(language);
    } catch {
      throw new StartupError(
        `Data for the OCR language ${language} is not installed. Run npm install ${packageOf(language)}`,
      );
    }
  }
}

function packageOf(language: string): string {
  return `@tesseract.js-data/${language}`;
}
