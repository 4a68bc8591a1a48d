import { setImmediate } from 'node:timers/promises';
import type { FailedPage, ReadPage, WordConfidence } from '../../engines/ocr/ocr-engine.js';
import type { OcrConfidenceScoresDto, OcrPageDto } from './ocr-response.dto.js';
import type { OcrOptions } from './ocr-request.js';

/** Written in one turn of the event loop: about a millisecond of work. */
const charactersPerTurn = 256 * 1024;
const wordsPerTurn = 4_096;
/** Most bytes that the score of a word adds to its text. Splitting a surrogate pair makes both halves longer. */
const bytesPerWord = 76;
/** Most bytes that a page adds to its Markdown and words. */
const bytesPerPage = 512;

interface OcrResult {
  /** As the request named it. */
  model: string;
  pages: readonly (ReadPage | FailedPage)[];
  pagesRead: number;
  documentBytes: number;
  confidenceGranularity: OcrOptions['confidenceGranularity'];
}

/**
 * The response as JSON. A thousand pages with their words are tens of megabytes, so it is written in turns.
 *
 * @returns UTF-8
 */
export async function writeOcrResponse(result: OcrResult): Promise<Buffer> {
  const writer = new TurnWriter();
  await writer.write('{"pages":[');
  for (const [place, page] of result.pages.entries()) {
    if (place > 0) await writer.write(',');
    await writePage(writer, page, result.confidenceGranularity);
  }
  const usage = `{"pages_processed":${result.pagesRead},"doc_size_bytes":${result.documentBytes}}`;
  const model = JSON.stringify(result.model);
  await writer.write(`],"model":${model},"document_annotation":null,"usage_info":${usage}}`);
  return writer.finish();
}

/** The most bytes that a page can take in the response, escapes included. Words must not overlap. */
export function sizeInResponse(page: ReadPage, granularity: OcrOptions['confidenceGranularity']): number {
  const textBytes = Buffer.byteLength(JSON.stringify(page.markdown));
  return bytesPerPage + textBytes + (granularity === 'word' ? textBytes + bytesPerWord * page.words.length : 0);
}

async function writePage(
  writer: TurnWriter,
  page: ReadPage | FailedPage,
  granularity: OcrOptions['confidenceGranularity'],
): Promise<void> {
  const words = granularity === 'word' && isRead(page) ? page.words : [];
  const text = JSON.stringify(toDto(page, granularity));
  if (words.length === 0) return writer.write(text);
  // The list of words is empty so far, and the last of the page.
  const end = ']}}';
  await writer.write(text.slice(0, -end.length));
  for (let start = 0; start < words.length; start += wordsPerTurn) {
    const some = words.slice(start, start + wordsPerTurn).map(toScore);
    const list = JSON.stringify(some).slice(1, -1);
    await writer.write(start === 0 ? list : `,${list}`);
  }
  await writer.write(end);
}

/** Collects text as UTF-8, and yields to the event loop after each turn's worth. */
class TurnWriter {
  private readonly chunks: Buffer[] = [];
  private parts: string[] = [];
  private length = 0;

  async write(text: string): Promise<void> {
    this.parts.push(text);
    this.length += text.length;
    if (this.length < charactersPerTurn) return;
    this.encode();
    await setImmediate();
  }

  finish(): Buffer {
    this.encode();
    return this.chunks.length === 1 && this.chunks[0] !== undefined ? this.chunks[0] : Buffer.concat(this.chunks);
  }

  private encode(): void {
    this.chunks.push(Buffer.from(this.parts.join('')));
    this.parts = [];
    this.length = 0;
  }
}

/** Whether the page could be read. */
export function isRead(page: ReadPage | FailedPage): page is ReadPage {
  return !('failure' in page);
}

function toDto(page: ReadPage | FailedPage, granularity: OcrOptions['confidenceGranularity']): OcrPageDto {
  const nothingElse = { images: [], tables: [], hyperlinks: [], header: null, footer: null, blocks: null };
  if (!isRead(page)) {
    const { index, failure } = page;
    const empty = { index, markdown: '', ...nothingElse, dimensions: null, confidence_scores: null };
    return { ...empty, error: { message: failure } };
  }
  const { index, markdown, dimensions } = page;
  const confidence = granularity === undefined ? null : toScores(page.words, granularity);
  return { index, markdown, ...nothingElse, dimensions, confidence_scores: confidence };
}

/** Null where there is no word to be sure of. The words themselves are written by {@link writePage}. */
function toScores(words: readonly WordConfidence[], granularity: 'page' | 'word'): OcrConfidenceScoresDto | null {
  if (words.length === 0) return null;
  let sum = 0;
  let minimum = 1;
  for (const { confidence } of words) {
    sum += confidence;
    minimum = Math.min(minimum, confidence);
  }
  return {
    average_page_confidence_score: sum / words.length,
    minimum_page_confidence_score: minimum,
    ...(granularity === 'word' && { word_confidence_scores: [] }),
  };
}

function toScore({ text, confidence, startIndex }: WordConfidence) {
  return { text, confidence, start_index: startIndex };
}
