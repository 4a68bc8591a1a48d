import type { TextLine } from './text.js';

const BULLET = /^[•●▪▫■□◦○‣∙·*+–—-]$/u;
const NUMBER = /^\(?(\d{1,3}|[a-z])[.)]$/u;

/** Whether a line begins an item of a list: with a bullet, or with `1.` or `a)`. */
export function startsItem([first, second]: TextLine): boolean {
  return first !== undefined && second !== undefined && (isBullet(first.text) || NUMBER.test(first.text));
}

export function isBullet(text: string): boolean {
  return BULLET.test(text);
}
