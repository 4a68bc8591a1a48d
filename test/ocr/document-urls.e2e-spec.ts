import { ModelCatalogueService } from '../../src/ai-gateway/models/model-catalogue.service.js';
import { DocumentFetcher } from '../../src/ai-gateway/ocr/document-fetch/document-fetcher.js';
import { defaultFetchRules } from '../../src/ai-gateway/ocr/document-fetch/fetch-rules.js';
import type { OcrResponseDto } from '../../src/ai-gateway/ocr/ocr-response.dto.js';
import { OcrService } from '../../src/ai-gateway/ocr/ocr.service.js';
import { UpstreamsService } from '../../src/ai-gateway/upstreams/upstreams.service.js';
import { BodyMemory } from '../../src/common/http/body-memory.js';
import { systemClient } from '../../src/engines/engine-client.js';
import { ReservationsService } from '../../src/limits/reservations.service.js';
import { startDocumentServer } from '../documents-by-url/document-server.js';
import { invoiceText } from '../documents-by-url/invoice.js';
import { call } from '../setup/call.js';
import { useAppStarter } from '../setup/use-test-app.js';
import { errorNaming, model, models, useOcrGateway } from './ocr-gateway.js';

const megabyte = 1024 * 1024;
const defaults = {
  model,
  confidenceGranularity: undefined,
  languages: undefined,
  extractHeader: false,
  extractFooter: false,
  images: { areIncluded: false },
};

const service = useOcrGateway();
const startApp = useAppStarter();

describe('POST /v1/ocr with a document URL', () => {
  it('should fetch and read the document', async () => {
    const server = await startDocumentServer((_request, response) => response.end(service.pdf));
    // The service of the route, with a fetcher that may connect to this server.
    const isAllowedAddress = (_address: string, port: number) => port === server.port;
    const fetcher = new DocumentFetcher({ ...defaultFetchRules, isAllowedAddress });
    const catalogue = service.app.get(ModelCatalogueService);
    const memory = new BodyMemory(megabyte);
    const upstreams = service.app.get(UpstreamsService);
    const ocr = new OcrService(catalogue, upstreams, fetcher, service.app.get(ReservationsService), memory, {
      documentFetch: true,
    });
    const { servedBy } = catalogue.getFor('ocr', model);
    if (!('engine' in servedBy)) throw new Error('The model must be embedded.');
    const accounted = { model, inputTokens: 0, pages: 0 };
    const memories = { documentMemory: memory.open(), resultMemory: memory.open() };
    const context = { client: systemClient, engine: servedBy.engine, usage: accounted, ...memories };
    const document = { url: new URL(`${server.url}/a.pdf`) };
    const asked = { ...defaults, pages: [1], document };
    const response = await ocr.recognize(asked, { ...context, signal: new AbortController().signal });
    const { pages, usage_info: usage } = JSON.parse(response.toString()) as OcrResponseDto;
    expect(pages.map(({ index }) => index)).toEqual([1]);
    expect(pages[0]?.markdown).toContain(invoiceText);
    expect(usage.doc_size_bytes).toBe(service.pdf.length);
    expect(accounted.pages).toBe(1);
    await server.close();
  });

  it.each([
    ['the limit of a response', megabyte, 1_000, { code: 'unreadable-document', status: 422 }],
    ['the memory for all documents', 1_000, megabyte, { code: 'overloaded', status: 503 }],
  ])('should reject a document whose pages exceed %s', async (_title, memoryBytes, responseBytes, error) => {
    const memory = new BodyMemory(memoryBytes);
    const catalogue = service.app.get(ModelCatalogueService);
    const fetcher = new DocumentFetcher(defaultFetchRules);
    const upstreams = service.app.get(UpstreamsService);
    const ocr = new OcrService(catalogue, upstreams, fetcher, service.app.get(ReservationsService), memory, {
      documentFetch: false,
    });
    ocr.responseLimitBytes = responseBytes;
    const { servedBy } = catalogue.getFor('ocr', model);
    if (!('engine' in servedBy)) throw new Error('The model must be embedded.');
    const usage = { model, inputTokens: 0, pages: 0 };
    const resultMemory = memory.open();
    const memories = { documentMemory: memory.open(), resultMemory };
    const context = { client: systemClient, engine: servedBy.engine, usage, ...memories };
    const request = { ...defaults, pages: undefined, document: { bytes: service.pdf } };
    const { signal } = new AbortController();
    await expect(ocr.recognize(request, { ...context, signal })).rejects.toMatchObject(error);
    expect(usage.pages).toBe(0);
    resultMemory.release();
    expect(() => memory.open().expect(1_000)).not.toThrow();
  });

  it.each(['http://127.0.0.1', 'http://[::ffff:127.0.0.1]', 'http://2130706433', 'http://localhost'])(
    'should return 400 for %s without connecting to it',
    async (origin) => {
      const inside = await startDocumentServer((_request, response) => response.end('a secret'));
      const response = await service.read({ document: { document_url: `${origin}:${inside.port}/document` } });
      expect(response.status).toBe(400);
      expect(response.body).toEqual(errorNaming('document'));
      expect(response.text).toContain('does not respond, or has no public IP address');
      expect(inside.requests).toEqual([]);
      await inside.close();
    },
  );

  it('should return 400 with the reason if fetching is disabled', async () => {
    const { database } = service;
    const offline = await startApp({ database, config: { models, documentFetch: false } });
    const body = { model, document: { document_url: 'https://example.com/a.pdf' } };
    const response = await call(offline.url, 'POST /v1/ocr', { token: service.key, body });
    expect(response.status).toBe(400);
    expect(response.body).toEqual(errorNaming('document'));
    expect(response.text).toContain('Fetching documents is disabled');
  });
});
