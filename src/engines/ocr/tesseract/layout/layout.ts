import type { WordConfidence } from '../../ocr-engine.js';
import { boxAround, type TextLine } from '../page.js';
import { toBlocks } from './blocks.js';
import { MarkdownWriter, writeBlocks } from './markdown.js';
import { type Segment, toRows, toSegments } from './segments.js';

/** Minimum size of a column of text. Columns of tables have fewer words per line. */
const minColumnLines = 3;
const minWordsPerLine = 2.5;
/** Vertical overlap of adjacent columns, relative to the shorter one. */
const minColumnOverlap = 0.5;
/** Columns that seem to be nested deeper are noise. */
const maxColumnDepth = 8;

/**
 * Converts the lines of a page to Markdown: columns one after the other, with paragraphs, lists and tables. Keeps every
 * word, and joins words that were hyphenated at the end of a line.
 */
export function layOut(lines: readonly TextLine[]): { markdown: string; words: WordConfidence[] } {
  const writer = new MarkdownWriter();
  for (const region of toRegions(toSegments(lines))) writeBlocks(writer, toBlocks(toRows(region)));
  return writer.finish();
}

/** Segments that are read row by row. */
type Region = readonly Segment[];

/** Divides a page into regions in reading order: a heading over all columns, then column by column. */
function toRegions(segments: readonly Segment[], maxDepth = maxColumnDepth): Region[] {
  const gutter = maxDepth === 0 ? undefined : findGutter(segments);
  if (gutter === undefined) return segments.length === 0 ? [] : [segments];
  const regions: Region[] = [];
  let pending: Segment[] = [];
  for (const run of splitAtCrossings(segments, gutter)) {
    const [left, right] = splitAtGutter(run, gutter);
    if (!areColumns(left, right)) {
      for (const segment of run) pending.push(segment);
      continue;
    }
    if (pending.length > 0) regions.push(pending);
    pending = [];
    for (const column of [left, right]) for (const region of toRegions(column, maxDepth - 1)) regions.push(region);
  }
  if (pending.length > 0) regions.push(pending);
  return regions;
}

/** Returns the x between two columns that the fewest segments cross. */
function findGutter(segments: readonly Segment[]): number | undefined {
  let best: { x: number; crossings: number } | undefined;
  for (const x of new Set(segments.map(({ box }) => box.right))) {
    const [left, right] = splitAtGutter(segments, x);
    if (left.length < minColumnLines || right.length < minColumnLines) continue;
    const crossings = segments.length - left.length - right.length;
    if (crossings > Math.min(left.length, right.length) || crossings >= (best?.crossings ?? Infinity)) continue;
    if (splitAtCrossings(segments, x).some((run) => areColumns(...splitAtGutter(run, x)))) best = { x, crossings };
  }
  return best?.x;
}

function splitAtGutter(segments: readonly Segment[], x: number): [left: Segment[], right: Segment[]] {
  return [segments.filter(({ box }) => box.right <= x), segments.filter(({ box }) => box.left > x)];
}

/** Splits a page from top to bottom into segments that cross the gutter, and the runs of segments between them. */
function splitAtCrossings(segments: readonly Segment[], x: number): Segment[][] {
  const runs: Segment[][] = [[]];
  const middle = ({ box }: Segment) => box.top + box.bottom;
  for (const segment of [...segments].sort((left, right) => middle(left) - middle(right))) {
    const isCrossing = segment.box.left <= x && segment.box.right > x;
    if (isCrossing) runs.push([segment], []);
    else runs.at(-1)?.push(segment);
  }
  return runs.filter((run) => run.length > 0);
}

function areColumns(left: readonly Segment[], right: readonly Segment[]): boolean {
  if (![left, right].every(isTextColumn)) return false;
  const [leftBox, rightBox] = [left, right].map((column) => boxAround(column.map(({ box }) => box)));
  if (leftBox === undefined || rightBox === undefined) return false;
  const overlap = Math.min(leftBox.bottom, rightBox.bottom) - Math.max(leftBox.top, rightBox.top);
  return overlap >= minColumnOverlap * Math.min(leftBox.bottom - leftBox.top, rightBox.bottom - rightBox.top);
}

function isTextColumn(column: readonly Segment[]): boolean {
  const words = column.reduce((sum, segment) => sum + segment.words.length, 0);
  return column.length >= minColumnLines && words >= minWordsPerLine * column.length;
}
