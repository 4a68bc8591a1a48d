import type { Box } from '../page.js';
import { gapBetween, median, type Row, type Segment, toRows } from './segments.js';

/** Height of the margins at the top and bottom of a page, relative to the page. */
const marginShare = 0.12;
/** A taller header is a letterhead or a title. */
const maxMarginRows = 4;
/** Gap between a header and the text, relative to that between other lines, and its limits in font sizes. */
const minGapRatio = 1.5;
const minGapSizes = 0.8;
const maxGapSizes = 2.5;

interface DividedPage {
  /** Lines in the top and bottom margins that may be running headers and footers. */
  readonly header: readonly Segment[];
  readonly body: readonly Segment[];
  readonly footer: readonly Segment[];
}

/** Separates lines in the margins from the text. Whether they're repeated is only known once all pages were read. */
export function divideAtMargins(segments: readonly Segment[], bounds: Box, bodySize: number): DividedPage {
  const rows = toRows(segments);
  const gaps = rows.slice(1).map((row, index) => gapBetween(rows[index], row));
  const gap = Math.min(minGapRatio * median(gaps), maxGapSizes * bodySize);
  const minGap = Math.max(gap, minGapSizes * bodySize);
  const margin = marginShare * (bounds.bottom - bounds.top);
  const top = findEdge(rows, (row) => row.box.bottom < bounds.top + margin, minGap);
  const bottom = findEdge([...rows].reverse(), (row) => row.box.top > bounds.bottom - margin, minGap);
  if (top + bottom >= rows.length) return { header: [], body: segments, footer: [] };
  const flatten = (part: readonly Row[]) => part.flatMap((row) => row.segments);
  const footerStart = rows.length - bottom;
  return {
    header: flatten(rows.slice(0, top)),
    body: flatten(rows.slice(top, footerStart)),
    footer: flatten(rows.slice(footerStart)),
  };
}

/** Returns how many of the first rows are in the margin, and apart from the others. */
function findEdge(rows: readonly Row[], isInMargin: (row: Row) => boolean, minGap: number): number {
  for (const [index, row] of rows.slice(0, maxMarginRows).entries()) {
    if (!isInMargin(row)) return 0;
    const next = rows[index + 1];
    if (next === undefined) return 0;
    const [upper, lower] = row.box.top < next.box.top ? [row, next] : [next, row];
    if (gapBetween(upper, lower) >= minGap) return index + 1;
  }
  return 0;
}
