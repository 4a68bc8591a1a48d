/** Larger counts are wrong, and their sums could exceed what PostgreSQL stores. */
export const maxCount = 2 ** 31 - 1;

/** Whether a number that others report, such as a count of tokens, is one that sums can contain. */
export function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= maxCount;
}

/** What PostgreSQL can't store in text: NUL, and surrogates that aren't part of a pair. */
const unstorable = /\0|\p{Cs}/gu;

/** The first characters of a text, with replacements for those that PostgreSQL can't store. */
export function toStorableText(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replaceAll(unstorable, '\ufffd');
}
