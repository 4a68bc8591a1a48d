import type { WordConfidence } from '../../ocr-engine.js';
import { isBullet, type Paragraph, spacingOf, toParagraphs } from './paragraphs.js';
import { MarkdownWriter } from './markdown-writer.js';
import { toRegions } from './regions.js';
import { type Row, toRows, toSegments } from './segments.js';
import { findTables, type Table } from './tables.js';
import type { Box, TextLine, TextWord } from './text.js';

/** Ends in a hyphen that parts a word: letters before it, and no other hyphen. */
const PARTED_WORD = /^[^-]*\p{L}{2}-$/u;

/**
 * Writes the lines of a page as Markdown: columns one after the other, paragraphs, lists, tables. Every word is in it;
 * one that was parted at the end of a line is whole again.
 */
export function layOut(lines: readonly TextLine[]): { markdown: string; words: WordConfidence[] } {
  const writer = new MarkdownWriter();
  for (const region of toRegions(toSegments(uprightLines(lines)))) writeRegion(writer, toRows(region));
  return writer.finish();
}

function writeRegion(writer: MarkdownWriter, rows: readonly Row[]): void {
  const spacing = spacingOf(rows);
  let untabled: Row[] = [];
  const writeUntabled = () => {
    writeParagraphs(writer, toParagraphs(untabled, spacing));
    untabled = [];
  };
  for (const found of findTables(rows)) {
    if ('row' in found) untabled.push(found.row);
    else {
      writeUntabled();
      writeTable(writer, found.table);
    }
  }
  writeUntabled();
}

function writeParagraphs(writer: MarkdownWriter, paragraphs: readonly Paragraph[]): void {
  paragraphs.forEach(({ isItem, lines }, index) => {
    const followsItem = paragraphs[index - 1]?.isItem ?? false;
    if (isItem && followsItem) writer.write('\n');
    else writer.startBlock();
    writeLines(writer, isItem ? withMarkdownBullet(lines) : lines);
  });
}

/** Markdown knows the hyphen as a bullet, and few of the others. */
function withMarkdownBullet([line, ...others]: Paragraph['lines']): Paragraph['lines'] {
  const [bullet, ...words] = line?.words ?? [];
  if (line === undefined || bullet === undefined) return others;
  if (!isBullet(bullet.text)) return [line, ...others];
  return [{ ...line, words: [{ ...bullet, text: '-' }, ...words] }, ...others];
}

function writeLines(writer: MarkdownWriter, lines: Paragraph['lines']): void {
  let parted: TextWord | undefined;
  lines.forEach(({ words, startsAnew }, index) => {
    const [first, ...others] = words;
    if (first === undefined) return;
    if (index > 0 && parted === undefined) writer.write(startsAnew ? '\n' : ' ');
    const line = parted === undefined ? words : [join(parted, first), ...others];
    const next = lines[index + 1]?.words[0];
    parted = isParted(line.at(-1), next) ? line.at(-1) : undefined;
    const whole = parted === undefined ? line : line.slice(0, -1);
    writer.writeWords(whole);
    if (parted !== undefined && whole.length > 0) writer.write(' ');
  });
}

function isParted(word: TextWord | undefined, next: TextWord | undefined): word is TextWord {
  return word !== undefined && next !== undefined && PARTED_WORD.test(word.text) && /^\p{Ll}/u.test(next.text);
}

function join(parted: TextWord, rest: TextWord): TextWord {
  const confidence = Math.min(parted.confidence, rest.confidence);
  return { text: parted.text.slice(0, -1) + rest.text, confidence, box: rest.box };
}

function writeTable(writer: MarkdownWriter, table: Table): void {
  writer.startBlock();
  table.forEach((row, index) => {
    for (const cell of row) {
      writer.write('| ');
      writer.writeWords(cell?.words ?? []);
      writer.write(' ');
    }
    writer.write('|\n');
    if (index === 0) writer.write(`${row.map(() => '| --- ').join('')}|\n`);
  });
}

type Direction = 'right' | 'down' | 'up';

/** How a box stands when the page is turned so that lines of this direction run to the right. */
const turns: Record<Direction, (box: Box) => Box> = {
  right: (box) => box,
  down: ({ left, top, right, bottom }) => ({ left: top, top: -right, right: bottom, bottom: -left }),
  up: ({ left, top, right, bottom }) => ({ left: -bottom, top: left, right: -top, bottom: right }),
};

/** Turns a page that lies on its side, as most of its lines do. Lines to the left are those of other scripts. */
export function uprightLines(lines: readonly TextLine[]): TextLine[] {
  const directions = lines.filter((line) => line.length > 1).map(directionOf);
  const most = (['down', 'up'] as const).find(
    (direction) => directions.filter((other) => other === direction).length > directions.length / 2,
  );
  const turn = turns[most ?? 'right'];
  return lines.map((line) => line.map((word) => ({ ...word, box: turn(word.box) })));
}

function directionOf(line: TextLine): Direction {
  const [first, last] = [line[0]?.box, line.at(-1)?.box];
  if (first === undefined || last === undefined) return 'right';
  const fall = last.top - first.top;
  if (Math.abs(fall) <= Math.abs(last.left - first.left)) return 'right';
  return fall > 0 ? 'down' : 'up';
}
