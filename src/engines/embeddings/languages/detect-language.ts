import { eld } from 'eld/extrasmall';

/** Fewer words are often names, products or codes, which look alike in many languages. */
const minWords = 5;
/** Scripts without spaces between words. */
const minIdeographs = 8;
/** How much the score of another language, from 0 to 1, must exceed the model's. Avoids false alarms. */
const minLead = 0.1;

const known = new Set(Object.values(eld.info().Languages));

/**
 * Whether a text is in none of these languages. False if that is uncertain: for a few words, names, code or numbers, and
 * if the detector doesn't know all of the languages.
 *
 * @param languages ISO 639-1 codes
 */
export function isInOtherLanguage(text: string, languages: readonly string[]): boolean {
  if (!languages.every((language) => known.has(language)) || !isLongEnough(text)) return false;
  const result = eld.detect(text);
  if (result.language === '' || languages.includes(result.language)) return false;
  const scores = result.getScores();
  const best = Math.max(...languages.map((language) => scores[language] ?? 0));
  return (scores[result.language] ?? 0) - best >= minLead;
}

function isLongEnough(text: string): boolean {
  const words = text.match(/\p{L}[\p{Ll}\p{Lo}\p{M}]+/gu)?.length ?? 0;
  if (words >= minWords) return true;
  const ideographs = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu)?.length ?? 0;
  return ideographs >= minIdeographs;
}
