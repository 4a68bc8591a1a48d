import { setImmediate } from 'node:timers/promises';
import type { FailedPage, PageWarning, ReadPage, WordConfidence } from '../../../engines/ocr/ocr-engine.js';
import type { OcrConfidenceScoresDto, OcrPageDto } from './ocr-response.dto.js';
import type { OcrOptions } from './ocr-request.js';
import { ImageNames, insertReferences, type NamedImage } from './page-images.js';
import { type PageText, separateRunningText } from './running-text.js';

/** Limits of one turn of the event loop: about a millisecond of work. */
const charactersPerTurn = 256 * 1024;
const wordsPerTurn = 4_096;
/** Maximum size of a word's score, without the word. Splitting a surrogate pair makes both halves longer. */
const bytesPerWord = 76;
/** Maximum size of a page, without its Markdown and words. */
const bytesPerPage = 1_024;
/** Maximum size of an image and of its reference, without its base64. */
const bytesPerImage = 300;
/** A multiple of 3, so that the base64 of parts can be joined. */
const imageBytesPerTurn = 192 * 1024;

interface OcrResult extends Pick<OcrOptions, 'confidenceGranularity' | 'extractHeader' | 'extractFooter' | 'images'> {
  /** The name or alias in the request. */
  model: string;
  pages: readonly (ReadPage | FailedPage)[];
  pagesRead: number;
  documentBytes: number;
}

/**
 * Writes the response as JSON, in turns: a thousand pages with their words are tens of megabytes.
 *
 * @returns UTF-8
 */
export async function writeOcrResponse(result: OcrResult): Promise<Buffer> {
  const writer = new TurnWriter();
  const names = new ImageNames(result.images.limit);
  await writer.write('{"pages":[');
  for (const [place, page] of result.pages.entries()) {
    if (place > 0) await writer.write(',');
    if (isRead(page)) {
      const images = names.name(page.images);
      const text = separateRunningText(insertReferences(page, images), place, result.pages, result);
      await writePage(writer, page, { text, images, granularity: result.confidenceGranularity });
    } else await writer.write(JSON.stringify(toFailedDto(page)));
  }
  const usage = `{"pages_processed":${result.pagesRead},"doc_size_bytes":${result.documentBytes}}`;
  const model = JSON.stringify(result.model);
  await writer.write(`],"model":${model},"document_annotation":null,"usage_info":${usage}}`);
  return writer.finish();
}

/** An upper bound for the size of a page in the response, with escapes. Words must not overlap. */
export function sizeInResponse(page: ReadPage, granularity: OcrOptions['confidenceGranularity']): number {
  const textBytes = Buffer.byteLength(JSON.stringify(page.markdown));
  const wordBytes = granularity === 'word' ? textBytes + bytesPerWord * page.words.length : 0;
  const imageBytes = page.images.map(({ jpeg }) => bytesPerImage + 4 * Math.ceil((jpeg?.length ?? 0) / 3));
  return bytesPerPage + textBytes + wordBytes + imageBytes.reduce((sum, bytes) => sum + bytes, 0);
}

interface PageParts {
  readonly text: PageText;
  readonly images: readonly NamedImage[];
  readonly granularity: OcrOptions['confidenceGranularity'];
}

async function writePage(writer: TurnWriter, page: ReadPage, { text: pageText, images, granularity }: PageParts) {
  const words = granularity === undefined ? [] : pageText.words();
  const scores = granularity === undefined ? null : toScores(words, granularity);
  const { index, markdown, ...others } = toDto(page, pageText, scores);
  await writer.write(`${JSON.stringify({ index, markdown }).slice(0, -1)},"images":[`);
  for (const [place, image] of images.entries()) {
    if (place > 0) await writer.write(',');
    await writeImage(writer, image);
  }
  await writer.write('],');
  const text = JSON.stringify(others).slice(1);
  if (words.length === 0 || granularity !== 'word') return writer.write(text);
  // The list of words comes last, and is empty so far.
  const end = ']}}';
  await writer.write(text.slice(0, -end.length));
  for (let start = 0; start < words.length; start += wordsPerTurn) {
    const some = words.slice(start, start + wordsPerTurn).map(toScore);
    const list = JSON.stringify(some).slice(1, -1);
    await writer.write(start === 0 ? list : `,${list}`);
  }
  await writer.write(end);
}

async function writeImage(writer: TurnWriter, { id, box, jpeg }: NamedImage): Promise<void> {
  const { left, top, right, bottom } = box;
  const corners = { top_left_x: left, top_left_y: top, bottom_right_x: right, bottom_right_y: bottom };
  const start = JSON.stringify({ id, ...corners, image_annotation: null }).slice(0, -1);
  if (jpeg === undefined) return writer.write(`${start},"image_base64":null}`);
  await writer.write(`${start},"image_base64":"data:image/jpeg;base64,`);
  for (let at = 0; at < jpeg.length; at += imageBytesPerTurn) {
    await writer.write(jpeg.toString('base64', at, at + imageBytesPerTurn));
  }
  await writer.write('"}');
}

/** Collects text as UTF-8, with a turn of the event loop after each part. */
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

/** Fields of Mistral's that are always empty. */
const nothingElse = { tables: [], hyperlinks: [], blocks: null };

function toFailedDto({ index, failure }: FailedPage): OcrPageDto {
  const unknown = { dimensions: null, confidence: null, warning: null, languages: [], confidence_scores: null };
  const noText = { markdown: '', images: [], ...nothingElse };
  return { index, ...noText, header: null, footer: null, ...unknown, error: { message: failure } };
}

/** {@link writePage} writes the images. */
function toDto(
  page: ReadPage,
  { markdown, header, footer }: PageText,
  scores: OcrConfidenceScoresDto | null,
): Omit<OcrPageDto, 'images'> {
  const confidence = page.confidence === null ? null : roundConfidence(page.confidence);
  const warning = page.warning === null ? null : { code: page.warning, message: warningMessages[page.warning] };
  const { index, dimensions, languages } = page;
  const text = { markdown, ...nothingElse, header, footer };
  return { index, ...text, dimensions, confidence, warning, languages, confidence_scores: scores };
}

const warningMessages: Record<PageWarning, string> = {
  no_text_found: "No text was found, although the page isn't blank. Send a sharper scan, or check the page.",
  low_confidence: 'Much of the text may be wrong. Send a sharper scan, or check the text.',
};

/** Later digits have no meaning. */
function roundConfidence(confidence: number): number {
  return Math.round(confidence * 10_000) / 10_000;
}

/** Null for a page without words. {@link writePage} writes the scores of words. */
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
