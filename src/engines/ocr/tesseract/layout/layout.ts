import type { WordConfidence } from '../../ocr-engine.js';
import type { Box, TextLine } from '../page.js';
import { type Block, type Paragraph, toBlocks } from './blocks.js';
import { toRegions } from './columns.js';
import { findBodyText } from './headings.js';
import { divideAtMargins } from './margins.js';
import { MarkdownWriter, writeBlocks } from './markdown.js';
import { type Segment, toRows, toSegments } from './segments.js';

export interface PageMarkdown {
  readonly markdown: string;
  readonly words: WordConfidence[];
  /** The text before it is in the top margin. */
  readonly headerEnd: number;
  /** The text from here is in the bottom margin. */
  readonly footerStart: number;
}

/**
 * Converts the lines of a page to Markdown: columns one after the other, with headings, paragraphs, lists and tables. Keeps
 * every word, and joins words that were divided at the end of a line. Text in the margins comes first and last.
 *
 * @param pageBounds the page, in the unit of the boxes of words
 */
export function layOut(lines: readonly TextLine[], pageBounds: Box): PageMarkdown {
  const { segments, bounds } = toSegments(lines, pageBounds);
  const bodyText = findBodyText(segments);
  const { header, body, footer } = divideAtMargins(segments, bounds, bodyText.size);
  const writer = new MarkdownWriter();
  const write = (part: readonly Segment[]) => {
    const regions = toRegions(part).map((region) => toBlocks(toRows(region), bodyText));
    writeBlocks(writer, joinContinued(regions));
    return writer.startBlock();
  };
  const headerEnd = write(header);
  const footerStart = write(body);
  write(footer);
  const { markdown, words } = writer.finish();
  const limit = (position: number) => Math.min(position, markdown.length);
  return { markdown, words, headerEnd: limit(headerEnd), footerStart: limit(footerStart) };
}

/** Joins a paragraph at the end of a column with its rest in the next one. */
function joinContinued(regions: readonly (readonly Block[])[]): Block[] {
  const blocks: Block[] = [];
  for (const region of regions) {
    const [previous, [first, ...others]] = [blocks.at(-1), region];
    if (first === undefined) continue;
    if (previous?.kind === 'paragraph' && first.kind === 'paragraph' && isContinued(previous.lines, first.lines)) {
      blocks[blocks.length - 1] = { kind: 'paragraph', lines: [...previous.lines, ...first.lines] };
    } else blocks.push(first);
    for (const block of others) blocks.push(block);
  }
  return blocks;
}

/** Whether a sentence goes on. Captions and labels have one line. */
function isContinued(lines: Paragraph['lines'], next: Paragraph['lines']): boolean {
  const [last, first] = [lines.at(-1)?.words.at(-1), next[0]?.words[0]];
  if (lines.length < 2 || last === undefined || first === undefined) return false;
  return /[\p{Ll},-]$/u.test(last.text) && /^\p{Ll}/u.test(first.text);
}
