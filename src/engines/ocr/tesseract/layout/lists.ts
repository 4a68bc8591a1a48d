import type { TextLine } from '../page.js';

const bulletPattern = /^[•●▪▫■□◦○‣∙·*+–—-]$/u;
const numberPattern = /^\(?(\d{1,3}|[a-z]|[ivx]{1,4})[.)]$/u;
/** Numbers of clauses such as 4.2. */
const clausePattern = /^\d{1,2}(\.\d{1,2}){1,3}\.?$/;

/** Whether a word is a bullet of a list. */
export function isBullet(text: string): boolean {
  return bulletPattern.test(text);
}

/** Whether a line starts with a bullet or a number, and goes on. */
export function startsListItem([first, second]: TextLine): boolean {
  return first !== undefined && second !== undefined && (isBullet(first.text) || numberPattern.test(first.text));
}

export function startsClause([first, second]: TextLine): boolean {
  return first !== undefined && clausePattern.test(first.text) && /^\p{Lu}/u.test(second?.text ?? '');
}
