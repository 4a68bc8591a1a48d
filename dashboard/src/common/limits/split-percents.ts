/** Splits entered percentages, such as "80, 90 100%", and leaves out duplicates. */
export function splitPercents(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => text.split(/[\s,;%]+/)))].filter((percent) => percent !== '');
}
