import type { DocumentReader } from '../src/document-reader.js';
import { newReader } from './new-reader.js';
import { drawDigitalPdf } from './documents/draw-pdf.js';
import {
  drawAnnotations,
  drawBomb,
  drawGiantImage,
  drawHugePage,
  drawLetters,
  drawNestedForms,
  drawOperators,
  drawSelfDrawingForm,
  drawShadings,
  drawStaircases,
} from './documents/hostile-pdfs.js';
import { waitFor } from '../../test/setup/wait-for.js';

const harbour = 'The harbour is closed until the storm is over.';
const memoryMegabytes = 384;
/** Long enough for a page of the other document (0.05 s), unless the machine is very busy. */
const pageTimeoutSeconds = 1;

/** Returns the Markdown of each page, or its failure. */
async function read(reader: DocumentReader, document: Buffer): Promise<string[]> {
  const pages = await reader.read(document, { pages: undefined }, new AbortController().signal);
  return pages.map((page) => ('failure' in page ? page.failure : page.markdown));
}

/** Reads again if a page took too long: on a very busy machine, any page may. */
async function readInTime(reader: DocumentReader, document: Buffer): Promise<string[]> {
  let texts: string[] = [];
  await waitFor(async () => {
    texts = await read(reader, document);
    return !texts.some((text) => text.includes(' took longer than '));
  });
  return texts;
}

describe('DocumentReader with hostile documents', () => {
  const reader = newReader({
    workerMemoryBytes: memoryMegabytes * 1024 * 1024,
    pageTimeoutSeconds,
  });
  let wellBehaved: Buffer;
  beforeAll(async () => {
    wellBehaved = await drawDigitalPdf([{ passages: [harbour] }, { passages: [harbour] }], { size: [360, 100] });
  });
  afterAll(() => reader.close());

  const tooMuchMemory = `Page 1 requires more than ${memoryMegabytes} MB of memory.`;
  const tooLong = `Page 1 took longer than ${pageTimeoutSeconds} s to read.`;

  it.each([
    ['decompresses to 400 MB', drawBomb(400)],
    ['has 30 million operators', drawOperators(30_000_000)],
    ['draws three million forms', drawNestedForms(6, 20)],
    ['draws itself', drawSelfDrawingForm(1_000)],
    ['paints heavy shadings', drawShadings(100)],
    ['draws 10,000 annotations', drawAnnotations(10_000)],
    ['has a giant image', drawGiantImage(10_000)],
  ])('should fail a page that %s, and read the next document', async (_, hostile) => {
    const [failures, texts] = await Promise.all([read(reader, hostile), readInTime(reader, wellBehaved)]);
    expect(failures).toHaveLength(1);
    expect([tooMuchMemory, tooLong]).toContain(failures[0]);
    expect(texts).toEqual([harbour, harbour]);
  });
});

describe('DocumentReader with unusual documents', () => {
  // The largest page takes 3 s, but on a busy machine more than the usual limit.
  const reader = newReader({ pageTimeoutSeconds: 110 });
  afterAll(() => reader.close());

  it('should read the largest page that PDF allows', async () => {
    await expect(read(reader, drawHugePage())).resolves.toEqual(['']);
  });

  it('should fail a page with too many characters', async () => {
    const [page] = await read(reader, drawLetters(1, 920));
    expect(page).toBe('Page 1 has more than 200000 characters.');
  });

  it('should not add much Markdown to a huge sparse table', async () => {
    const rows = 400;
    for (const markdown of await read(reader, drawStaircases(2, rows))) {
      expect(markdown.match(/a/g)).toHaveLength(2 * rows);
      expect(markdown.length).toBeLessThan(10 * rows);
    }
  });
});
