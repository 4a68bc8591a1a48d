import { DocumentReader, type DocumentReaderOptions } from '../src/document-reader.js';
import type { DocumentLimits } from '../src/limits.js';

export const limits: DocumentLimits = {
  maxBytes: 50 * 1024 * 1024,
  maxPages: 1_000,
  maxPageImages: 32,
  maxLanguages: 10,
};

/** Returns a reader for tests: by default with one worker, for English. */
export function newReader(options: Partial<DocumentReaderOptions<void>> = {}): DocumentReader {
  return new DocumentReader({ languages: ['eng'], workers: 1, limits, ...options });
}
