/** A scan often carries a page number or a stamp as text; a page that is text holds more. */
const LEAST_CHARACTERS = 20;
/** Where a picture fills the page, a line or two of text are a stamp on it. */
const LEAST_CHARACTERS_ON_SCAN = 200;
const LEAST_LEGIBLE_SHARE = 0.8;

/** Whether the text of a page's layer can stand for what the page shows. */
export function isUsableText(text: string, isScan: boolean): boolean {
  const visible = text.replace(/[\s\p{Cc}]/gu, '');
  // Letters without a known meaning come as replacement characters or from the areas for private use.
  const legible = visible.replace(/[\ufffd\p{Co}\p{Cn}\p{Cs}]/gu, '');
  if (legible.length < LEAST_LEGIBLE_SHARE * visible.length) return false;
  return legible.length >= (isScan ? LEAST_CHARACTERS_ON_SCAN : LEAST_CHARACTERS);
}
