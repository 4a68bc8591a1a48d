// Rules for names and passwords. Shared with the dashboard, so no dependencies.

export const nameLength = { min: 2, max: 100 };
export const passwordLength = { min: 12, max: 256 };
/** Limits passwords that are checked, which may be older than `passwordLength`. */
export const maxCheckedPasswordLength = 1024;
export const maxNoteLength = 500;
/** Limits model ids and the names of services. */
export const maxModelIdLength = 200;
/** Limits request IDs of clients; longer ones are replaced. */
export const maxRequestIdLength = 128;
/** Limits IP addresses and ranges. */
export const maxAddressRangeLength = 43;

/** Completes a sentence that starts with the field, such as "name". */
export const nameRule = `must have ${nameLength.min} to ${nameLength.max} characters, without control characters or other invisible characters`;
/** Completes a sentence that starts with the field, such as "password". */
export const newPasswordRule = `must have ${passwordLength.min} to ${passwordLength.max} characters, without control characters`;

/** Control characters, and lone surrogates, which PostgreSQL can't store. */
const unprintable = /[\p{Cc}\p{Cs}]/u;

/**
 * Characters without a glyph, such as U+202E RIGHT-TO-LEFT OVERRIDE, U+200B ZERO WIDTH SPACE, U+3164 HANGUL FILLER and
 * noncharacters: they make a name look like another. Exceptions: ZWJ and ZWNJ, which some scripts and emoji need, and the variation
 * selectors U+FE0E and U+FE0F.
 */
const invisible =
  /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2028\u2029\u2800]/u;

/** Allowed in names, but not counted towards the minimum length. */
const joiner = /\u200c|\u200d|\ufe0e|\ufe0f/gu;

/** The length in code points, not in UTF-16 units. */
export function countCodePoints(text: string): number {
  return [...text].length;
}

/** Whether the text has no control characters or lone surrogates. */
export function isPrintable(text: string): boolean {
  return !unprintable.test(text);
}

/** Whether the text can be the id or an alias of a model, or the name of a service. */
export function isModelName(text: unknown): boolean {
  return typeof text === 'string' && text !== '' && text.length <= maxModelIdLength && isPrintable(text);
}

/** Whether all characters of the text are allowed in names. */
export function isVisible(text: string): boolean {
  return isPrintable(text) && !invisible.test(text);
}

/** Whether the trimmed text is a valid name of a user, API key, role or organization. */
export function isName(text: string): boolean {
  const isLongEnough = countCodePoints(text.replaceAll(joiner, '')) >= nameLength.min;
  return isLongEnough && countCodePoints(text) <= nameLength.max && isVisible(text);
}

/** Whether the text is allowed as a new password. */
export function isNewPassword(text: string): boolean {
  const length = countCodePoints(text);
  return length >= passwordLength.min && length <= passwordLength.max && isPrintable(text);
}

/** Removes what names can't contain. Control characters become spaces, and the result is trimmed. */
export function makeVisible(text: string): string {
  return text
    .replaceAll(/\p{Cc}/gu, ' ')
    .replaceAll(new RegExp(`\\p{Cs}|${invisible.source}`, 'gu'), '')
    .trim();
}
