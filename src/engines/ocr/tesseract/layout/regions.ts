import { boxAround } from './text.js';
import type { Segment } from './segments.js';

/** Segments that are read row by row. */
export type Region = readonly Segment[];

/** A column of text has at least so many lines, and so many words in a line; those of tables have fewer. */
const LEAST_COLUMN_LINES = 3;
const LEAST_WORDS_PER_LINE = 2.5;
/** Of the lower column, which must stand beside the other. */
const LEAST_OVERLAP = 0.5;
/** Deeper nesting than that is noise. */
const MOST_CUTS = 8;

/** Divides a page into regions in reading order: a heading over all columns, then column by column. */
export function toRegions(segments: readonly Segment[], cutsLeft = MOST_CUTS): Region[] {
  const gutter = cutsLeft === 0 ? undefined : findGutter(segments);
  if (gutter === undefined) return segments.length === 0 ? [] : [segments];
  const regions: Region[] = [];
  let rows: Segment[] = [];
  for (const run of runsBetweenSpanning(segments, gutter)) {
    const [left, right] = divide(run, gutter);
    if (!areColumns(left, right)) {
      for (const segment of run) rows.push(segment);
      continue;
    }
    if (rows.length > 0) regions.push(rows);
    rows = [];
    for (const column of [left, right]) for (const region of toRegions(column, cutsLeft - 1)) regions.push(region);
  }
  if (rows.length > 0) regions.push(rows);
  return regions;
}

/** Where the page has columns on both sides, crossed by as few lines as possible. */
function findGutter(segments: readonly Segment[]): number | undefined {
  let best: { x: number; crossing: number } | undefined;
  for (const x of new Set(segments.map(({ box }) => box.right))) {
    const [left, right] = divide(segments, x);
    if (left.length < LEAST_COLUMN_LINES || right.length < LEAST_COLUMN_LINES) continue;
    const crossing = segments.length - left.length - right.length;
    if (crossing > Math.min(left.length, right.length) || crossing >= (best?.crossing ?? Infinity)) continue;
    if (runsBetweenSpanning(segments, x).some((run) => areColumns(...divide(run, x)))) best = { x, crossing };
  }
  return best?.x;
}

function divide(segments: readonly Segment[], x: number): [left: Segment[], right: Segment[]] {
  return [segments.filter(({ box }) => box.right <= x), segments.filter(({ box }) => box.left > x)];
}

/** From the top down: what stands between two lines that cross the gutter, and each of these by itself. */
function runsBetweenSpanning(segments: readonly Segment[], x: number): Segment[][] {
  const runs: Segment[][] = [[]];
  const middle = ({ box }: Segment) => box.top + box.bottom;
  for (const segment of [...segments].sort((one, other) => middle(one) - middle(other))) {
    const isSpanning = segment.box.left <= x && segment.box.right > x;
    if (isSpanning) runs.push([segment], []);
    else runs.at(-1)?.push(segment);
  }
  return runs.filter((run) => run.length > 0);
}

function areColumns(left: readonly Segment[], right: readonly Segment[]): boolean {
  if (![left, right].every(isFlowing)) return false;
  const [one, other] = [left, right].map((column) => boxAround(column.map(({ box }) => box)));
  if (one === undefined || other === undefined) return false;
  const overlap = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return overlap >= LEAST_OVERLAP * Math.min(one.bottom - one.top, other.bottom - other.top);
}

function isFlowing(column: readonly Segment[]): boolean {
  const words = column.reduce((sum, segment) => sum + segment.words.length, 0);
  return column.length >= LEAST_COLUMN_LINES && words >= LEAST_WORDS_PER_LINE * column.length;
}
