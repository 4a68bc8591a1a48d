import { layOut } from '../../src/layout/layout.js';
import type { TextLine } from '../../src/page.js';

const characterWidth = 10;
export const lineHeight = 20;
export const linePitch = 26;

/** A line of text in a monospaced font. */
export function line(text: string, left: number, top: number): TextLine {
  let x = left;
  return text.split(' ').map((word) => {
    const box = { left: x, top, right: x + word.length * characterWidth, bottom: top + lineHeight };
    x = box.right + characterWidth / 2;
    return { text: word, confidence: 0.9, box };
  });
}

/** Lines below each other. An empty text leaves a gap. */
export function column(texts: readonly string[], left = 0, top = 0): TextLine[] {
  return texts.flatMap((text, index) => (text === '' ? [] : [line(text, left, top + index * linePitch)]));
}

/** Its margins are far from the lines of most tests. */
export const tallPage = { left: 0, top: -10_000, right: 1_000, bottom: 10_000 };

export const markdownOf = (lines: readonly TextLine[]) => layOut(lines, tallPage).markdown;

/** A line in a larger or smaller font. */
export function scaled(factor: number, text: string, left: number, top: number): TextLine {
  return line(text, left, top).map(({ box, ...word }) => {
    return { ...word, box: { ...box, right: left + (box.right - left) * factor, bottom: top + lineHeight * factor } };
  });
}

/** Rows of cells at the given positions. An empty text leaves a cell out. */
export function table(
  rows: readonly (readonly string[])[],
  lefts: readonly number[],
  top = 0,
  pitch = linePitch,
): TextLine[] {
  return rows.flatMap((cells, row) =>
    cells.flatMap((cell, index) => (cell === '' ? [] : [line(cell, lefts[index] ?? 0, top + row * pitch)])),
  );
}

export const leftColumn = ['The first column of the', 'page tells of the boats', 'that came to the island'];
export const rightColumn = ['The second column says', 'how they left again, and', 'what they took with them'];
export const prose = [...leftColumn, ...rightColumn];
