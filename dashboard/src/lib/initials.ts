import { lazily } from './lazily.js';
const graphemes = lazily(() => new Intl.Segmenter());

/** The initials of a name: of its first and last word. Of an email, those of its local part. */
export function initialsOf(name: string): string {
  const words = (name.includes('@') ? (name.split('@')[0] ?? '').split(/[._+-]/) : name.split(/\s/)).filter(
    (word) => word !== '',
  );
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map((word = '') => firstLetter(word)).join('') || '?';
}

/** Skips marks such as an opening bracket, unless the word has nothing else. */
function firstLetter(word: string): string {
  // Most words need no language data, which takes a slow phone 100 ms to load.
  if (/^[a-z\d](?:[!-~]|$)/i.test(word)) return word.slice(0, 1).toUpperCase();
  const letters = Array.from(graphemes().segment(word), ({ segment }) => segment);
  return (letters.find((letter) => /[\p{L}\p{N}]/u.test(letter)) ?? letters[0] ?? '').toLocaleUpperCase();
}

/** A color for a person, always the same: a hue in degrees. */
export function hueOf(id: string): number {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return (hash % 12) * 30;
}
