/** A text in a form that ignores case and Unicode composition, like the API's searches. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
