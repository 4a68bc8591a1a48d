/**
 * Normalization takes quadratic time for a run of combining marks, so it's done in chunks: 10 MB of marks take about a
 * second instead of hours. Few words are longer than a chunk.
 */
const maxChunkLength = 512;
/** Within this distance of the limit, a chunk ends before a base character instead of a combining mark. */
const maxMarksKeptTogether = 32;

const whitespace = /[\s\p{Cc}\u200b\u200e\u200f\u2581]+/gu;
const combiningMark = /\p{M}/u;

/**
 * Normalizes a text for the model: NFKC, lower case, and whitespace and control characters collapsed to single spaces.
 * Yields chunks that end between words where possible. Takes linear time.
 */
export function* normalizedChunks(text: string): Generator<string, void, undefined> {
  let start = 0;
  while (start < text.length) {
    const end = chunkEnd(text, start);
    yield text.slice(start, end).normalize('NFKC').toLowerCase().replace(whitespace, ' ');
    start = end;
  }
}

function chunkEnd(text: string, start: number): number {
  const maxEnd = start + maxChunkLength;
  if (maxEnd >= text.length) return text.length;
  for (let end = maxEnd; end > start; end -= 1) {
    if (isSpace(text, end)) return end;
  }
  for (let end = maxEnd; end > maxEnd - maxMarksKeptTogether; end -= 1) {
    if (isCharacterStart(text, end)) return end;
  }
  return isLowSurrogate(text, maxEnd) ? maxEnd - 1 : maxEnd;
}

function isSpace(text: string, index: number): boolean {
  return text.charCodeAt(index) <= 0x20;
}

function isLowSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00;
}

function isCharacterStart(text: string, index: number): boolean {
  return !isLowSurrogate(text, index) && !combiningMark.test(String.fromCodePoint(text.codePointAt(index) ?? 0));
}
