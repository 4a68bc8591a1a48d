import type { TextLine, TextWord } from '../layout/text.js';

const LINE_LEVEL = '4';
const WORD_LEVEL = '5';

/** Tesseract's table of what it has found, as lines. */
export function readTsv(tsv: string): TextLine[] {
  const lines: TextWord[][] = [];
  for (const row of tsv.split('\n')) {
    const [level, , , , , , left, top, width, height, confidence, text = ''] = row.split('\t');
    if (level === LINE_LEVEL) lines.push([]);
    if (level !== WORD_LEVEL || text.trim() === '') continue;
    const [x, y] = [Number(left), Number(top)];
    const box = { left: x, top: y, right: x + Number(width), bottom: y + Number(height) };
    lines.at(-1)?.push({ text: text.trim(), confidence: Math.round(Number(confidence) * 100) / 10_000, box });
  }
  return lines.filter((line) => line.length > 0);
}

/** Of the words, weighted by their length: 0 to 1. */
export function meanConfidence(lines: readonly TextLine[]): number {
  const words = lines.flat();
  const characters = words.reduce((sum, { text }) => sum + text.length, 0);
  return words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / Math.max(1, characters);
}
