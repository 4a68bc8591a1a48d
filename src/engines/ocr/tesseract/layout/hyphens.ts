import type { TextWord } from '../page.js';

const hyphenated = /[\p{L}\p{N}][-\u2010\u00ad]$/u;
/** A word that was divided: it ends with its only hyphen, after at least two letters. */
const divided = /^[^-\u2010]*\p{L}{2}[-\u2010]$/u;
const softHyphen = '\u00ad';
/** In "two- and three-digit", the hyphen stands for the rest of the word. */
const conjunctions = /^(and|or|to|und|oder|bzw|sowie|et|ou|y)\P{L}*$/u;
/** First parts of compounds such as "well-known". "self-ish" is divided. */
const compoundStarts = /^\P{L}*(well|self|half|cross)-$/iu;
const minCompoundEnd = 4;

/** Joins the last word of a line with the first one of the next, if the line break divides a word or follows its hyphen. */
export function joinAtHyphen(first: TextWord, second: TextWord): TextWord | undefined {
  if (!hyphenated.test(first.text) || !/^[\p{L}\p{N}]/u.test(second.text) || conjunctions.test(second.text))
    return undefined;
  const isDivided = divided.test(first.text) && /^\p{Ll}/u.test(second.text) && !isCompound(first.text, second.text);
  const start = isDivided || first.text.endsWith(softHyphen) ? first.text.slice(0, -1) : first.text;
  const confidence = Math.min(first.confidence, second.confidence);
  return { text: start + second.text, confidence, box: second.box };
}

function isCompound(first: string, second: string): boolean {
  return compoundStarts.test(first) && second.length >= minCompoundEnd;
}
