/**
 * Normalising takes time quadratic in the length of a run of combining marks, so it is done piece by
 * piece: 10 MB of marks cost about a second instead of hours. Few words are longer than this.
 */
const CHUNK_LENGTH = 512;
const MAX_MARKS_KEPT_TOGETHER = 32;

const BLANKS = /[\s\p{Cc}\u200b\u200e\u200f\u2581]+/gu;
const COMBINING_MARK = /\p{M}/u;

/**
 * The text as the model wants it (NFKC, lower case, every run of blanks and control characters as one
 * space), in pieces that end between words where possible. Takes time linear in the text's length.
 */
export function* normalizedChunks(text: string): Generator<string, void, undefined> {
  let start = 0;
  while (start < text.length) {
    const end = chunkEnd(text, start);
    yield text.slice(start, end).normalize('NFKC').toLowerCase().replace(BLANKS, ' ');
    start = end;
  }
}

function chunkEnd(text: string, start: number): number {
  const furthest = start + CHUNK_LENGTH;
  if (furthest >= text.length) return text.length;
  for (let end = furthest; end > start; end -= 1) {
    if (isSpace(text, end)) return end;
  }
  for (let end = furthest; end > furthest - MAX_MARKS_KEPT_TOGETHER; end -= 1) {
    if (isCharacterStart(text, end)) return end;
  }
  return isLowSurrogate(text, furthest) ? furthest - 1 : furthest;
}

function isSpace(text: string, index: number): boolean {
  return text.charCodeAt(index) <= 0x20;
}

function isLowSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00;
}

function isCharacterStart(text: string, index: number): boolean {
  return !isLowSurrogate(text, index) && !COMBINING_MARK.test(String.fromCodePoint(text.codePointAt(index) ?? 0));
}
