import { setImmediate } from 'node:timers/promises';
import type { FailedPage, ReadPage } from '../engines/ocr-engine.js';
import type { OcrConfidenceScoresDto, OcrPageDto } from './ocr-response.dto.js';
import type { OcrOptions } from './ocr-request.js';

/** So many characters are written before the event loop gets its turn: about a millisecond's worth. */
const charactersPerTurn = 256 * 1024;

interface OcrResult {
  /** As the request named it. */
  model: string;
  pages: readonly (ReadPage | FailedPage)[];
  pagesRead: number;
  documentBytes: number;
  confidenceGranularity: OcrOptions['confidenceGranularity'];
}

/** The response as JSON text. A thousand pages with their words are megabytes, so it is written in turns. */
export async function writeOcrResponse(result: OcrResult): Promise<string> {
  const pages: string[] = [];
  let characters = 0;
  for (const page of result.pages) {
    const text = JSON.stringify(toDto(page, result.confidenceGranularity));
    pages.push(text);
    characters += text.length;
    if (characters < charactersPerTurn) continue;
    characters = 0;
    await setImmediate();
  }
  const usage = `{"pages_processed":${result.pagesRead},"doc_size_bytes":${result.documentBytes}}`;
  const model = JSON.stringify(result.model);
  return `{"pages":[${pages.join(',')}],"model":${model},"document_annotation":null,"usage_info":${usage}}`;
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
  return { index, markdown, ...nothingElse, dimensions, confidence_scores: toScores(page, granularity) };
}

/** Null where none were asked for, and where there is no word to be sure of. */
function toScores(
  { words }: ReadPage,
  granularity: OcrOptions['confidenceGranularity'],
): OcrConfidenceScoresDto | null {
  if (granularity === undefined || words.length === 0) return null;
  let sum = 0;
  let minimum = 1;
  for (const { confidence } of words) {
    sum += confidence;
    minimum = Math.min(minimum, confidence);
  }
  return {
    average_page_confidence_score: sum / words.length,
    minimum_page_confidence_score: minimum,
    ...(granularity === 'word' && {
      word_confidence_scores: words.map(({ text, confidence, startIndex }) => {
        return { text, confidence, start_index: startIndex };
      }),
    }),
  };
}
