import { type Box, boxAround } from '../page.js';
import type { Block, Figure, TextBlock } from './blocks.js';

/** Horizontal overlap of a picture and a column of text, relative to the narrower one. */
const minOverlap = 0.5;

/** Adds pictures to the regions of a page, at their places in reading order. */
export function addFigures(regions: readonly TextBlock[][], pictures: readonly Box[]): Block[][] {
  const extended = regions.map((blocks) => ({
    blocks: [...blocks] as Block[],
    box: boxAround(blocks.map(boxOf)),
  }));
  const inOrder = [...pictures.entries()].sort(([, one], [, other]) => one.top - other.top || one.left - other.left);
  const alone: Block[] = [];
  for (const [index, picture] of inOrder) {
    const figure: Figure = { kind: 'figure', index };
    const region = findRegion(extended, picture);
    if (region === undefined) alone.push(figure);
    else region.blocks.splice(findPlace(region.blocks, picture, pictures), 0, figure);
  }
  return [...extended.map(({ blocks }) => blocks), ...(alone.length > 0 ? [alone] : [])];
}

/** Returns the region that a picture is in; else the last one above it, or the first one below it. */
function findRegion<Found extends { readonly box: Box }>(regions: readonly Found[], picture: Box): Found | undefined {
  const near = regions.filter(({ box }) => {
    const overlap = Math.min(box.right, picture.right) - Math.max(box.left, picture.left);
    return overlap >= minOverlap * Math.min(box.right - box.left, picture.right - picture.left);
  });
  const candidates = near.length > 0 ? near : regions;
  const middle = (picture.top + picture.bottom) / 2;
  return (
    candidates.find(({ box }) => box.top <= middle && box.bottom >= middle) ??
    candidates.findLast(({ box }) => box.bottom < middle) ??
    candidates[0]
  );
}

/** Returns the place before the first block that starts below the top of a picture. Pictures were added from top to bottom. */
function findPlace(blocks: readonly Block[], picture: Box, pictures: readonly Box[]): number {
  const topOf = (block: Block) => (block.kind === 'figure' ? pictures[block.index] : boxOf(block))?.top ?? 0;
  const place = blocks.findIndex((block) => topOf(block) > picture.top);
  return place === -1 ? blocks.length : place;
}

function boxOf(block: TextBlock): Box {
  const words = block.kind === 'table' ? block.rows.flat(3) : block.lines.flatMap((line) => line.words);
  return boxAround(words.map(({ box }) => box));
}
