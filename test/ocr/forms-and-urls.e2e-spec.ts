import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { ModelCatalogService } from '../../src/ai-gateway/models/model-catalog.service.js';
import { DocumentFetcher } from '../../src/ai-gateway/tasks/ocr/document-fetch/document-fetcher.js';
import { defaultFetchRules } from '../../src/ai-gateway/tasks/ocr/document-fetch/fetch-rules.js';
import type { OcrResponseDto } from '../../src/ai-gateway/tasks/ocr/ocr-response.dto.js';
import { OcrService } from '../../src/ai-gateway/tasks/ocr/ocr.service.js';
import { RequestDemands } from '../../src/ai-gateway/request-demands.js';
import { UpstreamsService } from '../../src/ai-gateway/upstreams/upstreams.service.js';
import { BodyMemory } from '../../src/common/http/body-memory.js';
import { systemClient } from '../../src/engines/engine-client.js';
import { ReservationsService } from '../../src/limits/reservations.service.js';
import { startDocumentServer } from '../documents-by-url/document-server.js';
import { invoiceText } from '../documents-by-url/invoice.js';
import { drawDigitalPdf } from '../../document-reader/test/documents/draw-pdf.js';
import { picture, text, writePictures } from '../../document-reader/test/documents/write-pictures.js';
import { call } from '../setup/call.js';
import { useAppStarter } from '../setup/use-test-app.js';
import { bodyOf, errorNaming, type FormFields, model, models, pagesOf, useOcrGateway } from './ocr-gateway.js';

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

describe('POST /v1/ocr with a form', () => {
  it('should return as many pictures as requested', async () => {
    const content =
      text('A digital page with two pictures', 40) + picture('red', 40, 80, 60, 50) + picture('blue', 40, 160, 60, 50);
    const response = await service.upload([
      ['model', model],
      ['file', writePictures([{ content }])],
      ['include_image_base64', 'true'],
      ['image_limit', '1'],
      ['image_min_size', '100'],
    ]);
    const [page] = bodyOf(response).pages;
    expect(page?.markdown).toBe('A digital page with two pictures\n\n![img-0.jpeg](img-0.jpeg)');
    const image = { id: 'img-0.jpeg', image_base64: expect.stringMatching(/^data:image\/jpeg;base64,/) as string };
    expect(page?.images).toMatchObject([image]);
  });

  it('should read a PDF with options, with the file first or last', async () => {
    const options: FormFields = [
      ['model', model],
      ['pages', '0,2'],
      ['confidence_scores_granularity', 'page'],
    ];
    for (const fields of [
      [...options, ['file', service.pdf]],
      [['file', service.pdf], ...options],
    ] as FormFields[]) {
      const response = await service.upload(fields);
      expect(response.status).toBe(200);
      expect(pagesOf(response)).toEqual([0, 2]);
      expect(bodyOf(response).pages[1]?.markdown).toContain(invoiceText);
      expect(bodyOf(response).pages[1]?.confidence_scores).not.toBeNull();
    }
  });

  it('should return the running header and footer of each page separately if requested', async () => {
    const passages = [invoiceText];
    const report = { passages, header: 'Harbour report', footer: 'Page 1' };
    const document = await drawDigitalPdf([report, { ...report, footer: 'Page 2' }]);
    const fields: FormFields = [
      ['model', model],
      ['file', document],
    ];
    const extracted = await service.upload([...fields, ['extract_header', 'true'], ['extract_footer', 'true']]);
    expect(bodyOf(extracted).pages).toMatchObject([
      { header: 'Harbour report', markdown: invoiceText, footer: 'Page 1' },
      { header: 'Harbour report', markdown: invoiceText, footer: 'Page 2' },
    ]);
    const complete = await service.upload(fields);
    expect(bodyOf(complete).pages[0]).toMatchObject({
      header: null,
      markdown: `Harbour report\n\n${invoiceText}\n\nPage 1`,
      footer: null,
    });
  });

  it.each<[string, string, FormFields]>([
    ['no file', 'file', [['model', model]]],
    [
      'two files',
      'file',
      [
        ['model', model],
        ['file', Buffer.from('a')],
        ['file', Buffer.from('b')],
      ],
    ],
    ['no model', 'model', [['file', Buffer.from('a')]]],
    [
      'an unknown field',
      'table_format',
      [
        ['model', model],
        ['table_format', 'html'],
        ['file', Buffer.from('a')],
      ],
    ],
  ])('should return 400 naming the field for %s', async (_title, param, fields) => {
    const response = await service.upload(fields);
    expect(response.status).toBe(400);
    expect(response.body).toEqual(errorNaming(param));
  });
});

describe('POST /v1/ocr with a document URL', () => {
  it('should fetch and read the document', async () => {
    const server = await startDocumentServer((_request, response) => response.end(service.pdf));
    // The service of the route, with a fetcher that may connect to this server.
    const isAllowedAddress = (_address: string, port: number) => port === server.port;
    const fetcher = new DocumentFetcher({ ...defaultFetchRules, isAllowedAddress });
    const catalog = service.app.get(ModelCatalogService);
    const memory = new BodyMemory(megabyte);
    const upstreams = service.app.get(UpstreamsService);
    const demands = service.app.get(RequestDemands);
    const ocr = new OcrService(catalog, upstreams, fetcher, demands, service.app.get(ReservationsService), memory, {
      documentFetch: true,
    });
    const { servedBy } = catalog.getFor('ocr', model);
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
    const catalog = service.app.get(ModelCatalogService);
    const fetcher = new DocumentFetcher(defaultFetchRules);
    const upstreams = service.app.get(UpstreamsService);
    const demands = service.app.get(RequestDemands);
    const ocr = new OcrService(catalog, upstreams, fetcher, demands, service.app.get(ReservationsService), memory, {
      documentFetch: false,
    });
    ocr.maxResponseBytes = responseBytes;
    const { servedBy } = catalog.getFor('ocr', model);
    if (!('engine' in servedBy)) throw new Error('The model must be embedded.');
    const usage = { model, inputTokens: 0, pages: 0 };
    const resultMemory = memory.open();
    const memories = { documentMemory: memory.open(), resultMemory };
    const context = { client: systemClient, engine: servedBy.engine, usage, ...memories };
    const request = { ...defaults, pages: undefined, document: { bytes: service.pdf } };
    const { signal } = new AbortController();
    await expect(ocr.recognize(request, { ...context, signal })).rejects.toMatchObject(error);
    // Reading it was work.
    expect(usage.pages).toBe(1);
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

describe('A client that disconnects', () => {
  const head = (headers: string) =>
    `POST /v1/ocr HTTP/1.1\r\nhost: keycard\r\nx-api-key: ${service.key}\r\n${headers}\r\n\r\n`;

  /** Sends bytes and disconnects when the server starts serving the request. */
  async function abandon(bytes: string): Promise<void> {
    const server = service.app.getHttpServer();
    const requested = once(server, 'request');
    const client: Socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    client.write(bytes);
    await requested;
    const [connection] = (await once(client.destroy(), 'close').then(() => requested)) as [{ socket: Socket }];
    if (!connection.socket.destroyed) await new Promise((resolve) => connection.socket.once('close', resolve));
  }

  it.each([
    ['JSON', 'content-type: application/json\r\ncontent-length: 1000000', '{"model":"tesseract","document":'],
    [
      'a form',
      'content-type: multipart/form-data; boundary=x\r\ncontent-length: 1000000',
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n%PDF',
    ],
  ])('should not disturb later requests if it stops in the middle of %s', async (_title, headers, beginning) => {
    await abandon(head(headers) + beginning);
    expect((await service.read({ pages: [0] })).status).toBe(200);
    expect(service.logLines.join('')).not.toContain('"level":50');
  });
});
