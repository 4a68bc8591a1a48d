import { availableParallelism } from 'node:os';
import type { BenchDatabase } from '../data/bench-database.js';
import { insertKnownKeys } from '../data/keys.js';
import { drawPages } from '../data/pages.js';
import { withChildren } from '../processes/child.js';
import type { TesseractResult, TesseractSettings } from '../processes/tesseract-loop.js';
import { measureInRounds, median, medianRatio } from '../rounds.js';
import { quantity, ratioRow, type Row } from '../row.js';
import type { KeycardSettings, Listening } from '../servers/keycard.js';

const pageCount = 12;
const rounds = 3;
/** The engine's default. */
const workers = Math.min(2, availableParallelism());

const scripts = {
  service: new URL('../servers/keycard.js', import.meta.url),
  tesseract: new URL('../processes/tesseract-loop.js', import.meta.url),
};

/** Compares the service with bare tesseract.js: the cost of uploads, decoding, image cleanup and layout. */
export function measureOcr({ client, connection }: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async ({ service, tesseract }) => {
    const [key = ''] = await insertKnownKeys(client);
    const pages = await drawPages(pageCount);
    const settings: KeycardSettings = { database: connection };
    const { url } = await service.run<Listening>(settings);
    const readThroughService = (some: readonly Buffer[]) => readAll(url, key, some);
    const readAlone = async (some: readonly Buffer[]) => {
      const task: TesseractSettings = { pages: some.map((page) => page.toString('base64')), workers };
      return (await tesseract.run<TesseractResult>(task)).pagesPerMinute;
    };
    const warmUp = pages.slice(0, workers);
    await readThroughService(warmUp);
    await readAlone(warmUp);
    const figures = await measureInRounds(rounds, {
      service: () => readThroughService(pages),
      alone: () => readAlone(pages),
    });
    const explanation = `${pageCount} images of printed pages at 200 dpi, one per request, ${workers} requests at a time, against tesseract.js on the same images in ${workers} workers.`;
    const comparison = {
      what: 'POST /v1/ocr, embedded engine',
      measured: quantity(median(figures.service), 'pages/min'),
      against: `tesseract.js: ${quantity(median(figures.alone), 'pages/min')}`,
      explanation,
    };
    return [ratioRow(comparison, medianRatio(figures.service, figures.alone), { min: 0.95 })];
  });
}

/** Returns pages per minute, with one concurrent request per worker. */
async function readAll(url: string, key: string, pages: readonly Buffer[]): Promise<number> {
  const waiting = [...pages];
  const start = performance.now();
  const readUntilDone = async () => {
    for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) await readPage(url, key, page);
  };
  await Promise.all(Array.from({ length: workers }, readUntilDone));
  return (pages.length * 60_000) / (performance.now() - start);
}

async function readPage(url: string, key: string, page: Buffer): Promise<void> {
  const image = { image_url: `data:image/png;base64,${page.toString('base64')}` };
  const response = await fetch(`${url}/v1/ocr`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'tesseract', document: image }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`Reading a page returned ${response.status}: ${text}`);
}
