import type { WordConfidence } from '../read-page.js';
import type { Box, TextLine } from '../page.js';
import { type Block, type Paragraph, toBlocks } from './blocks.js';
import { toRegions } from './columns.js';
import { addFigures } from './figures.js';
import { findBodyText } from './headings.js';
import { MarkdownWriter, writeBlocks } from './markdown.js';
import { gapBetween, median, type Row, type Segment, toRows, toSegments } from './segments.js';

/** Height of the margins at the top and bottom of a page, relative to the page. */
const marginShare = 0.12;
/** A taller header is a letterhead or a title. */
const maxMarginRows = 4;
/** Gap between a header and the text, relative to that between other lines, and its limits in font sizes. */
const minGapRatio = 1.5;
const minGapSizes = 0.8;
const maxGapSizes = 2.5;

/** A picture's place in the list of pictures, and the position in the Markdown where a block starts or the text ends. */
interface PlacedPicture {
  readonly index: number;
  readonly position: number;
}

export interface PageMarkdown {
  readonly markdown: string;
  readonly words: WordConfidence[];
  /** The text before it is in the top margin. */
  readonly headerEnd: number;
  /** The text from here is in the bottom margin. */
  readonly footerStart: number;
  /** In reading order, between the margins. */
  readonly pictures: readonly PlacedPicture[];
}

/**
 * Converts the lines of a page to Markdown: columns one after the other, with headings, paragraphs, lists and tables. Keeps
 * every word, and joins words that were divided at the end of a line. Text in the margins comes first and last.
 *
 * @param pageBounds the page, in the unit of the boxes of words
 * @param pageBoxes pictures on the page
 */
export function layOut(lines: readonly TextLine[], pageBounds: Box, pageBoxes: readonly Box[] = []): PageMarkdown {
  const { segments, bounds, pictures } = toSegments(lines, pageBounds, pageBoxes);
  const bodyText = findBodyText(segments);
  const { header, body, footer } = divideAtMargins(segments, bounds, bodyText.size);
  const writer = new MarkdownWriter();
  const write = (part: readonly Segment[], partPictures: readonly Box[] = []) => {
    const regions = toRegions(part).map((region) => toBlocks(toRows(region), bodyText));
    writeBlocks(writer, joinContinued(addFigures(regions, partPictures)));
    return writer.startBlock();
  };
  const headerEnd = write(header);
  const footerStart = write(body, pictures);
  write(footer);
  const { markdown, words, figures } = writer.finish();
  const limit = (position: number) => Math.min(position, markdown.length);
  return {
    markdown,
    words,
    headerEnd: limit(headerEnd),
    footerStart: limit(footerStart),
    pictures: figures.map(({ index, position }) => ({ index, position: limit(position) })),
  };
}

interface DividedPage {
  /** Lines in the top and bottom margins that may be running headers and footers. */
  readonly header: readonly Segment[];
  readonly body: readonly Segment[];
  readonly footer: readonly Segment[];
}

/** Separates lines in the margins from the text. Whether they're repeated is only known once all pages were read. */
function divideAtMargins(segments: readonly Segment[], bounds: Box, bodySize: number): DividedPage {
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

/** Joins a paragraph at the end of a column with its rest in the next one, also across pictures. */
function joinContinued(regions: readonly (readonly Block[])[]): Block[] {
  const blocks: Block[] = [];
  for (const region of regions) {
    const place = blocks.findLastIndex(isText);
    const nextPlace = region.findIndex(isText);
    const [previous, next] = [blocks[place], region[nextPlace]];
    const rest = [...region];
    if (previous?.kind === 'paragraph' && next?.kind === 'paragraph' && isContinued(previous.lines, next.lines)) {
      blocks[place] = { kind: 'paragraph', lines: [...previous.lines, ...next.lines] };
      rest.splice(nextPlace, 1);
    }
    for (const block of rest) blocks.push(block);
  }
  return blocks;
}

const isText = ({ kind }: Block) => kind !== 'figure';

/** Whether a sentence continues. Captions and labels have one line. */
function isContinued(lines: Paragraph['lines'], next: Paragraph['lines']): boolean {
  const [last, first] = [lines.at(-1)?.words.at(-1), next[0]?.words[0]];
  if (lines.length < 2 || last === undefined || first === undefined) return false;
  return /[\p{Ll},-]$/u.test(last.text) && /^\p{Ll}/u.test(first.text);
}
