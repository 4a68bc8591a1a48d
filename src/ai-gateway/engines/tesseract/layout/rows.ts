import type { Segment } from './segments.js';
import { type Box, boxAround } from './text.js';

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
