import type { FailedPage, ReadPage } from '../../src/ai-gateway/engines/ocr-engine.js';
import { TesseractEngine } from '../../src/ai-gateway/engines/tesseract/tesseract.engine.js';
import { drawStaircases } from '../documents/hostile-pdfs.js';

const engine = new TesseractEngine({ languages: ['eng'], workers: 1 });
afterAll(() => engine.close());

function read(document: Buffer): Promise<(ReadPage | FailedPage)[]> {
  return engine.read(document, { pages: undefined }, new AbortController().signal);
}

describe('TesseractEngine with hostile documents', () => {
  it('should return little more text than a document with a huge sparse table holds', async () => {
    const rows = 400;
    const pages = await read(drawStaircases(2, rows));
    for (const page of pages) {
      if ('failure' in page) throw new Error(page.failure);
      expect(page.markdown.match(/a/g)).toHaveLength(2 * rows);
      expect(page.markdown.length).toBeLessThan(10 * rows);
    }
  });
});
