import { type RawPage, writePdf } from './write-pdf.js';

/** A page whose rows have two letters each, no two of them in the same column: a table of `rows` × `2 * rows` cells. */
export function drawStaircase(rows: number): RawPage {
  const step = 8;
  const width = 2 * step * rows + 100;
  const height = 12 * rows + 20;
  const letters = Array.from({ length: rows }, (_, row) => {
    const y = height - 12 * (row + 1);
    const at = (x: number) => `BT /F 10 Tf 1 0 0 1 ${x} ${y} Tm (a) Tj ET`;
    return `${at(step * row)} ${at(step * (rows + row))}`;
  });
  return { size: [width, height], content: letters.join('\n') };
}

/** Many pages with very large sparse tables, in a small file. */
export function drawStaircases(pages: number, rows: number): Buffer {
  const page = drawStaircase(rows);
  return writePdf({ pages: Array.from({ length: pages }, () => page) });
}

/** Pages of as many one-letter words as a page may have, in a small file. */
export function drawLetters(pages: number, lines = 900, words = 110): Buffer {
  const line = `(${'a '.repeat(words)}) Tj T*`;
  const size = [words * 8 + 40, lines * 12 + 40] as const;
  const content = `BT /F 10 Tf 12 TL 20 ${size[1] - 20} Td ${`${line}\n`.repeat(lines)} ET`;
  return writePdf({ pages: Array.from({ length: pages }, () => ({ size, content })) });
}

/** A page of `count` operators, which compress to almost nothing. */
export function drawOperators(count: number): Buffer {
  return writePdf({ pages: [{ content: Buffer.alloc(4 * count, '0 w ') }] });
}
