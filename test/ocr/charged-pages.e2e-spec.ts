import { OcrService } from '../../src/ai-gateway/tasks/ocr/ocr.service.js';
import type { RequestUsage } from '../../src/ai-gateway/request-usage.js';
import { BodyMemory } from '../../src/common/http/body-memory.js';
import { TesseractEngine } from '../../src/engines/ocr/tesseract.engine.js';
import type { Behavior } from '../../document-reader/test/faulty-worker.js';
import { useTestApp } from '../setup/use-test-app.js';

const organizationId = '01a20000-0000-7000-8000-000000000000';
const service = useTestApp();
let engine: TesseractEngine;

beforeAll(() => {
  engine = new TesseractEngine({
    languages: ['eng'],
    workers: 1,
    workerUrl: new URL('../../document-reader/test/faulty-worker.js', import.meta.url),
    workerMemoryBytes: 300 * 1024 * 1024,
    pageTimeoutSeconds: 5,
  });
});
afterAll(() => engine.close());

/** Reads a document whose pages behave as given, and returns what is charged. */
async function chargeOf(...pages: Behavior[]): Promise<number> {
  const usage: RequestUsage = { model: 'tesseract' };
  const memory = service.app.get(BodyMemory);
  const [documentMemory, resultMemory] = [memory.open(organizationId), memory.open(organizationId)];
  const asked = {
    ...{ model: 'tesseract', pages: undefined, confidenceGranularity: undefined, languages: undefined },
    ...{ extractHeader: false, extractFooter: false, images: { areIncluded: false } },
    document: { bytes: Buffer.from(JSON.stringify({ pages })) },
  };
  const client = { organizationId, keyId: organizationId };
  const context = { engine, usage, client, documentMemory, resultMemory };
  await service.app
    .get(OcrService)
    .recognize(asked, { ...context, signal: new AbortController().signal })
    .catch(() => undefined);
  documentMemory.release();
  resultMemory.release();
  return usage.pages ?? 0;
}

describe('The pages of a document', () => {
  it('should be charged if they were read', async () => {
    expect(await chargeOf('fine', 'fine')).toBe(2);
  });

  it('should be charged if they were given up because they took too much time or memory', async () => {
    expect(await chargeOf('hang')).toBe(1);
    expect(await chargeOf('fine', 'grow', 'hang')).toBe(3);
  });

  it('should not be charged if they are damaged, or crash a worker', async () => {
    expect(await chargeOf('damaged', 'crash', 'fine')).toBe(1);
  });
});
