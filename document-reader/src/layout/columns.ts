import { type Box, boxAround } from '../page.js';
import { median, type Segment } from './segments.js';

/** Minimum size of a column of text. Columns of tables have fewer words per line. */
const minColumnLines = 3;
const minWordsPerLine = 2.5;
/** For columns whose lines aren't level with those next to them, such as sidebars. */
const minWordsPerUnalignedLine = 1.5;
/** Vertical overlap of adjacent columns, relative to the shorter one. */
const minColumnOverlap = 0.5;
/** Mean length of lines in a column, relative to its width. Texts in tables differ more in length. */
const minLineFill = 0.5;
/** Vertical overlap of two lines at the same height, relative to the lower one. */
const minLineOverlap = 0.8;
const minAlignedShare = 0.75;
/** Gaps over the whole width that separate columns from other text, in heights of a line. */
const minBandHeights = 2.5;
/** Columns that seem to be nested deeper are noise. */
const maxColumnDepth = 8;
/** Each takes time in proportion to the size of the page. */
const maxGutterCandidates = 32;

/** Segments that are read row by row. */
type Region = readonly Segment[];

/** Divides a page into regions in reading order: a heading over all columns, then column by column. */
export function toRegions(segments: readonly Segment[]): Region[] {
  const middle = ({ box }: Segment) => box.top + box.bottom;
  return divide(
    [...segments].sort((left, right) => middle(left) - middle(right)),
    maxColumnDepth,
  );
}

/** @param segments from top to bottom */
function divide(segments: readonly Segment[], maxDepth: number): Region[] {
  const gutter = maxDepth === 0 ? undefined : findGutter(segments);
  if (gutter === undefined) return segments.length === 0 ? [] : [segments];
  const regions: Region[] = [];
  let pending: Segment[] = [];
  for (const run of splitIntoRuns(segments, gutter)) {
    const [left, right] = splitAtGutter(run, gutter);
    if (!areColumns(left, right)) {
      for (const segment of run) pending.push(segment);
      continue;
    }
    if (pending.length > 0) regions.push(pending);
    pending = [];
    for (const column of [left, right]) for (const region of divide(column, maxDepth - 1)) regions.push(region);
  }
  if (pending.length > 0) regions.push(pending);
  return regions;
}

/** Returns the x between two columns that the fewest segments cross. */
function findGutter(segments: readonly Segment[]): number | undefined {
  const lefts = segments.map(({ box }) => box.left).sort((one, other) => one - other);
  const rights = segments.map(({ box }) => box.right).sort((one, other) => one - other);
  const candidates: { x: number; crossings: number }[] = [];
  let started = 0;
  rights.forEach((x, index) => {
    if (rights[index + 1] === x) return;
    while ((lefts[started] ?? Infinity) <= x) started += 1;
    const [onLeft, onRight] = [index + 1, segments.length - started];
    const crossings = segments.length - onLeft - onRight;
    const fewest = Math.min(onLeft, onRight);
    if (fewest >= minColumnLines && crossings <= fewest) candidates.push({ x, crossings });
  });
  return candidates
    .sort((one, other) => one.crossings - other.crossings)
    .slice(0, maxGutterCandidates)
    .find(({ x }) => splitIntoRuns(segments, x).some((run) => areColumns(...splitAtGutter(run, x))))?.x;
}

function splitAtGutter(segments: readonly Segment[], x: number): [left: Segment[], right: Segment[]] {
  return [segments.filter(({ box }) => box.right <= x), segments.filter(({ box }) => box.left > x)];
}

/** Splits segments from top to bottom into those that cross the gutter, and the runs between them. */
function splitIntoRuns(segments: readonly Segment[], x: number): Segment[][] {
  const runs: Segment[][] = [[]];
  for (const segment of segments) {
    const isCrossing = segment.box.left <= x && segment.box.right > x;
    if (isCrossing) runs.push([segment], []);
    else runs.at(-1)?.push(segment);
  }
  return runs.flatMap((run) => splitAtBands(run, x));
}

/** Separates rows of a table or figure from columns above and below them, if there are wide gaps in between. */
function splitAtBands(run: readonly Segment[], x: number): Segment[][] {
  const minGap = minBandHeights * median(run.map(({ box }) => box.bottom - box.top));
  const bands: Segment[][] = [];
  let bottom = -Infinity;
  for (const segment of run) {
    if (segment.box.top - bottom > minGap || bands.length === 0) bands.push([]);
    bottom = Math.max(bottom, segment.box.bottom);
    bands.at(-1)?.push(segment);
  }
  const parts: { segments: Segment[]; areRows: boolean }[] = [];
  for (const segments of bands) {
    const bandHasRows = areRows(...splitAtGutter(segments, x));
    const last = parts.at(-1);
    if (last?.areRows === bandHasRows) for (const segment of segments) last.segments.push(segment);
    else parts.push({ segments, areRows: bandHasRows });
  }
  return parts.map(({ segments }) => segments);
}

function areColumns(left: readonly Segment[], right: readonly Segment[]): boolean {
  if (left.length < minColumnLines || right.length < minColumnLines) return false;
  const [leftBox, rightBox] = [left, right].map((column) => boxAround(column.map(({ box }) => box)));
  if (leftBox === undefined || rightBox === undefined) return false;
  const overlap = Math.min(leftBox.bottom, rightBox.bottom) - Math.max(leftBox.top, rightBox.top);
  const height = Math.min(leftBox.bottom - leftBox.top, rightBox.bottom - rightBox.top);
  if (overlap < minColumnOverlap * height) return false;
  return Math.min(wordsPerLine(left), wordsPerLine(right)) >= minWordsPerUnalignedLine && !areRows(left, right);
}

/** Whether texts at the same height belong together, as in a table. */
function areRows(left: readonly Segment[], right: readonly Segment[]): boolean {
  if (left.length === 0 || right.length === 0 || !areAligned(left, right)) return false;
  if (Math.min(wordsPerLine(left), wordsPerLine(right)) < minWordsPerLine) return true;
  return Math.max(lineFill(left), lineFill(right)) < minLineFill;
}

function wordsPerLine(column: readonly Segment[]): number {
  return column.reduce((sum, segment) => sum + segment.words.length, 0) / column.length;
}

function lineFill(column: readonly Segment[]): number {
  const { left, right } = boxAround(column.map(({ box }) => box));
  return column.reduce((sum, { box }) => sum + box.right - box.left, 0) / column.length / (right - left);
}

/** Whether many lines of the shorter column are at the height of one in the other. */
function areAligned(left: readonly Segment[], right: readonly Segment[]): boolean {
  const [shorter, longer] = (left.length < right.length ? [left, right] : [right, left]).map((column) =>
    column.map(({ box }) => box).sort((one, other) => middleOf(one) - middleOf(other)),
  );
  if (shorter === undefined || longer === undefined) return false;
  let index = 0;
  const aligned = shorter.filter((box) => {
    const distance = (place: number) => {
      const other = longer[place];
      return other === undefined ? Infinity : Math.abs(middleOf(other) - middleOf(box));
    };
    while (index + 1 < longer.length && distance(index + 1) <= distance(index)) index += 1;
    const nearest = longer[index];
    if (nearest === undefined) return false;
    const overlap = Math.min(box.bottom, nearest.bottom) - Math.max(box.top, nearest.top);
    return overlap >= minLineOverlap * Math.min(box.bottom - box.top, nearest.bottom - nearest.top);
  });
  return aligned.length >= minAlignedShare * shorter.length;
}

function middleOf({ top, bottom }: Box): number {
  return (top + bottom) / 2;
}
