// Rules for names and passwords, shared with the dashboard: no dependencies.

export const nameLength = { shortest: 2, longest: 100 };
export const passwordLength = { shortest: 12, longest: 256 };

/** Completes "name …". */
export const nameRule = `must have ${nameLength.shortest} to ${nameLength.longest} characters, not counting spaces around it, and no control characters, bidirectional controls or other invisible characters`;
/** Completes "password …". */
export const newPasswordRule = `must have ${passwordLength.shortest} to ${passwordLength.longest} characters and no control characters`;

/** Control characters, and halves of surrogate pairs, which cannot be stored. */
const unprintable = /[\p{Cc}\p{Cs}]/u;

/**
 * Characters without a glyph, such as U+202E RIGHT-TO-LEFT OVERRIDE, U+200B ZERO WIDTH SPACE and U+3164 HANGUL FILLER:
 * they make a name look like another one. Exceptions: ZWJ and ZWNJ, which scripts and emoji need, and U+FE0E and
 * U+FE0F, which select the form of an emoji.
 */
const invisible = /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/u;

/** Joiners and selectors, which are allowed in names but are no visible characters. */
const joiner = /\u200c|\u200d|\ufe0e|\ufe0f/gu;

/** Length as a reader counts: in code points, not in UTF-16 units. */
export function countCodePoints(text: string): number {
  return [...text].length;
}

/** Whether the text has no control characters and can be stored. */
export function isPrintable(text: string): boolean {
  return !unprintable.test(text);
}

/** Whether a name may contain all characters of the text. */
export function isVisible(text: string): boolean {
  return isPrintable(text) && !invisible.test(text);
}

/** Whether the text, already trimmed, can be the name of a person, key, role or organization. */
export function isName(text: string): boolean {
  const isLongEnough = countCodePoints(text.replaceAll(joiner, '')) >= nameLength.shortest;
  return isLongEnough && countCodePoints(text) <= nameLength.longest && isVisible(text);
}

/** Whether the text can be chosen as a password. */
export function isNewPassword(text: string): boolean {
  const length = countCodePoints(text);
  return length >= passwordLength.shortest && length <= passwordLength.longest && isPrintable(text);
}

/** The closest text that a name may contain: without invisible characters, with spaces for control characters. */
export function makeVisible(text: string): string {
  return text
    .replaceAll(/\p{Cc}/gu, ' ')
    .replaceAll(new RegExp(`\\p{Cs}|${invisible.source}`, 'gu'), '')
    .trim();
}
