import { isInOtherLanguage } from './detect-language.js';

export interface LanguageTask {
  /** Beginnings of texts. */
  readonly texts: readonly string[];
  readonly languages: readonly string[];
}

/** Returns for each task whether one of its texts is in none of the languages. */
export function findOtherLanguages(tasks: readonly LanguageTask[]): boolean[] {
  return tasks.map(({ texts, languages }) => texts.some((text) => isInOtherLanguage(text, languages)));
}
