import { type Box, boxAround, median, type TextLine, type TextWord } from './text.js';

/** Words of one line without a wide gap between them: a line of a column, or a cell of a table. */
export interface Segment {
  readonly words: TextLine;
  readonly box: Box;
}

/** A gap is wide from so many heights of the line on; words of justified text may stand one height apart. */
const WIDE_GAP_HEIGHTS = 1.2;
/** Lines shorter than so many heights do not show how far the page is turned. */
const LONG_LINE_HEIGHTS = 8;

/** Splits lines at wide gaps, and straightens a page that was scanned a little askew. */
export function toSegments(lines: readonly TextLine[]): Segment[] {
  const slope = slopeOf(lines);
  return lines.map((line) => line.map((word) => straighten(word, slope))).flatMap(splitAtGaps);
}

function straighten(word: TextWord, slope: number): TextWord {
  const { left, top, right, bottom } = word.box;
  const shift = (slope * (left + right)) / 2;
  return { ...word, box: { left, top: top - shift, right, bottom: bottom - shift } };
}

/** By how much the lines fall per unit of their length. */
function slopeOf(lines: readonly TextLine[]): number {
  const slopes = lines.flatMap((line) => {
    const [first, last] = [line[0]?.box, line.at(-1)?.box];
    if (first === undefined || last === undefined) return [];
    const length = last.left - first.left;
    if (length < LONG_LINE_HEIGHTS * (first.bottom - first.top)) return [];
    // Letters that rise or hang move the top or the bottom of a word, seldom both.
    const [top, bottom] = [last.top - first.top, last.bottom - first.bottom];
    return [(Math.abs(top) < Math.abs(bottom) ? top : bottom) / length];
  });
  return median(slopes);
}

function splitAtGaps(line: TextLine): Segment[] {
  const height = median(line.map(({ box }) => box.bottom - box.top));
  const segments: TextWord[][] = [];
  let right = -Infinity;
  for (const word of line) {
    if (word.box.left - right > WIDE_GAP_HEIGHTS * height || segments.length === 0) segments.push([]);
    segments.at(-1)?.push(word);
    right = Math.max(right, word.box.right);
  }
  return segments.map((words) => ({ words, box: boxAround(words.map(({ box }) => box)) }));
}

/** Segments at one height, from left to right; never empty. */
export interface Row {
  readonly segments: readonly Segment[];
  readonly box: Box;
}

/** Of the lower of two segments, which must be at the height of the other. */
const LEAST_OVERLAP = 0.5;

/** The rows of a region, from top to bottom. */
export function toRows(segments: readonly Segment[]): Row[] {
  const middle = ({ box }: Segment) => (box.top + box.bottom) / 2;
  const rows: { segments: Segment[]; box: Box }[] = [];
  for (const segment of [...segments].sort((one, other) => middle(one) - middle(other))) {
    const row = rows.at(-1);
    if (row !== undefined && isBeside(row, segment)) {
      row.segments.push(segment);
      row.box = boxAround([row.box, segment.box]);
    } else rows.push({ segments: [segment], box: segment.box });
  }
  for (const row of rows) row.segments.sort((one, other) => one.box.left - other.box.left);
  return rows;
}

function isBeside(row: Row, { box }: Segment): boolean {
  const overlap = Math.min(row.box.bottom, box.bottom) - Math.max(row.box.top, box.top);
  const lower = Math.min(row.box.bottom - row.box.top, box.bottom - box.top);
  return overlap >= LEAST_OVERLAP * lower;
}
