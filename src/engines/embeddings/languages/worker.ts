import { isInOtherLanguage } from './detect-language.js';

export interface LanguageTask {
  /** Beginnings of texts. */
  readonly texts: readonly string[];
  readonly languages: readonly string[];
}

/** Whether a text is in none of the languages. */
export function findOtherLanguage({ texts, languages }: LanguageTask): boolean {
  return texts.some((text) => isInOtherLanguage(text, languages));
}
