import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ModelDefinition } from '../src/config/model-definition.js';
import { defaultModels } from '../src/ai-gateway/models/default-models.js';
import { ModelCatalogueService } from '../src/ai-gateway/models/model-catalogue.service.js';
import { ReservationsService } from '../src/limits/reservations.service.js';
import { systemClient } from '../src/engines/engine-client.js';
import { BodyMemory } from '../src/common/http/body-memory.js';
import { DocumentFetcher } from '../src/ai-gateway/ocr/document-fetch/document-fetcher.js';
import { defaultFetchRules } from '../src/ai-gateway/ocr/document-fetch/fetch-rules.js';
import { OcrService } from '../src/ai-gateway/ocr/ocr.service.js';
import { UpstreamsService } from '../src/ai-gateway/upstreams/upstreams.service.js';
import type { OcrResponseDto } from '../src/ai-gateway/ocr/ocr-response.dto.js';
import { drawInvoicePdf, drawInvoicePng, invoiceText } from './documents-by-url/invoice.js';
import { startDocumentServer } from './documents-by-url/document-server.js';
import { drawTextImage } from './documents/draw-image.js';
import { drawDigitalPdf, drawMixedPdf } from './documents/draw-pdf.js';
import { picture, text, writePictures } from './documents/write-pictures.js';
import { createApiKey } from './factories/api-keys.js';
import { createMember } from './factories/organizations.js';
import { aiError } from './setup/ai-error.js';
import { type CallResponse, call } from './setup/call.js';
import { readRecordedUsage } from './setup/recorded-usage.js';
import { useAppStarter, useTestApp } from './setup/use-test-app.js';

const megabyte = 1024 * 1024;
const model = 'tesseract';
const defaults = {
  model,
  confidenceGranularity: undefined,
  languages: undefined,
  extractHeader: false,
  extractFooter: false,
  images: { areIncluded: false },
};
const tesseract: ModelDefinition = {
  id: model,
  aliases: ['scan'],
  task: 'ocr',
  ownedBy: 'keycard',
  createdSeconds: 1_500_000_000,
  servedBy: { engine: 'tesseract', languages: ['eng'] },
};
const models = [...defaultModels().filter(({ task }) => task === 'embeddings'), tesseract];

const service = useTestApp({ config: { models } });
const startApp = useAppStarter();
let token: string;
let pdf: Buffer;
let png: Buffer;

beforeAll(async () => {
  [pdf, png] = await Promise.all([drawInvoicePdf(3), drawInvoicePng()]);
  token = (await createApiKey(service, await createMember(service))).key;
});

const dataUrl = (document: Buffer, type = 'application/pdf') => `data:${type};base64,${document.toString('base64')}`;
const inDocument = (document: Buffer) => ({ type: 'document_url', document_url: dataUrl(document) });
const read = (fields: object) =>
  call(service.url, 'POST /v1/ocr', { token, body: { model, document: inDocument(pdf), ...fields } });
const bodyOf = (response: CallResponse) => response.body as OcrResponseDto;
const pagesOf = (response: CallResponse) => bodyOf(response).pages.map(({ index }) => index);
const errorNaming = (param: string | null, code: string | null = null) =>
  aiError({ message: expect.stringMatching(/\w.*\.$/) as string, type: 'invalid_request_error', param, code });

/** Sends a form as browsers and curl do. */
async function upload(fields: [name: string, value: string | Buffer][]): Promise<CallResponse> {
  const form = new FormData();
  for (const [name, value] of fields) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)]), 'document');
  }
  const response = await fetch(`${service.url}/v1/ocr`, {
    method: 'POST',
    headers: { 'x-api-key': token },
    body: form,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text), text };
}

describe('POST /v1/ocr', () => {
  it("should return all fields of Mistral's format", async () => {
    const response = await read({ id: 'request-1', include_image_base64: false });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const { pages, ...rest } = bodyOf(response);
    expect(rest).toEqual({
      model,
      document_annotation: null,
      usage_info: { pages_processed: 3, doc_size_bytes: pdf.length },
    });
    expect(pagesOf(response)).toEqual([0, 1, 2]);
    for (const page of pages) {
      expect(page).toEqual({
        index: expect.any(Number) as number,
        markdown: expect.stringContaining(invoiceText) as string,
        images: [],
        tables: [],
        hyperlinks: [],
        header: null,
        footer: null,
        blocks: null,
        dimensions: {
          dpi: expect.any(Number) as number,
          width: expect.any(Number) as number,
          height: expect.any(Number) as number,
        },
        confidence: expect.closeTo(0.95, 1) as number,
        warning: null,
        languages: ['eng'],
        confidence_scores: null,
      });
    }
  });

  it('should return 422 no_text_found for a blank document, and count its pages', async () => {
    const { id, key } = await createApiKey(service, await createMember(service));
    const blank = await drawDigitalPdf([{ passages: [] }, { passages: [] }]);
    const body = { model, document: inDocument(blank) };
    const response = await call(service.url, 'POST /v1/ocr', { token: key, body });
    expect(response.status).toBe(422);
    expect(response.body).toEqual(errorNaming('document', 'no_text_found'));
    expect(response.text).toContain('All pages are blank.');
    expect((await readRecordedUsage(service, [id])).get(id)).toMatchObject({ requests: 1, pages: 2 });
  });

  it('should read a page with the requested language, in JSON and as a form', async () => {
    const german = await drawTextImage('Die Straße führt über Köln.', { size: [240, 120] });
    const text = 'Die Straße führt über Köln.';
    const expected = { pages: [{ markdown: text, languages: ['deu'] }] };
    const inJson = await read({ document: inDocument(german), languages: ['deu'] });
    expect(inJson.body).toMatchObject(expected);
    const asForm = await upload([
      ['model', model],
      ['languages', 'deu'],
      ['file', german],
    ]);
    expect(asForm.body).toMatchObject(expected);
  });

  it('should return 400 listing the installed languages for another language', async () => {
    const response = await read({ languages: ['deu', 'tlh'] });
    expect(response.status).toBe(400);
    expect(response.body).toEqual(errorNaming('languages'));
    expect(response.text).toContain(
      "'tlh' is not installed. Installed languages: deu, ell, eng, fra, ita, nld, por, spa.",
    );
  });

  it('should return a page without text if another page has text', async () => {
    const response = await read({ document: inDocument(await drawMixedPdf(['This page has digital text.', ''])) });
    expect(bodyOf(response).pages).toMatchObject([
      { markdown: 'This page has digital text.', confidence: 1 },
      { markdown: '', confidence: null, warning: null },
    ]);
    expect(bodyOf(response).usage_info.pages_processed).toBe(2);
  });

  it.each<[string, (image: string) => unknown]>([
    ['image_url', (url) => ({ type: 'image_url', image_url: url })],
    ['image_url with detail', (url) => ({ type: 'image_url', image_url: { url, detail: 'auto' } })],
    ['document_url', (url) => ({ document_url: url, document_name: 'a.png' })],
  ])('should read an image in %s', async (_title, place) => {
    const response = await read({ document: place(dataUrl(png, 'image/png')) });
    expect(response.status).toBe(200);
    expect(bodyOf(response).pages[0]?.markdown).toContain(invoiceText);
    expect(bodyOf(response).usage_info).toEqual({ pages_processed: 1, doc_size_bytes: png.length });
  });

  it('should detect the type of a document from its content, regardless of its declared type', async () => {
    const response = await read({ document: { type: 'image_url', image_url: dataUrl(pdf, 'image/png') } });
    expect(pagesOf(response)).toEqual([0, 1, 2]);
  });

  it.each<[unknown, number[]]>([
    [
      [2, 0, 2],
      [0, 2],
    ],
    ['1-2', [1, 2]],
    [null, [0, 1, 2]],
  ])('should read the pages %j', async (pages, indexes) => {
    const response = await read({ pages });
    expect(pagesOf(response)).toEqual(indexes);
    expect(bodyOf(response).usage_info.pages_processed).toBe(indexes.length);
  });

  it.each([
    ['page', false],
    ['word', true],
  ])('should return confidence scores with the granularity %s', async (granularity, hasWords) => {
    const response = await read({ pages: [0], confidence_scores_granularity: granularity });
    const [page] = bodyOf(response).pages;
    const scores = page?.confidence_scores;
    expect(scores?.average_page_confidence_score).toBeGreaterThan(0.5);
    expect(scores?.minimum_page_confidence_score).toBeLessThanOrEqual(scores?.average_page_confidence_score ?? 0);
    expect(scores?.word_confidence_scores !== undefined).toBe(hasWords);
    for (const { text, start_index: start } of scores?.word_confidence_scores ?? []) {
      expect(page?.markdown.slice(start, start + text.length)).toBe(text);
    }
  });

  it('should accept an alias of the model and return it', async () => {
    const response = await read({ model: 'scan', pages: [0] });
    expect(bodyOf(response).model).toBe('scan');
  });

  it('should read a document of 50 MB, in JSON and as a form', async () => {
    const large = Buffer.concat([png, Buffer.alloc(50 * megabyte - png.length)]);
    for (const response of [
      await read({ document: inDocument(large) }),
      await upload([
        ['model', model],
        ['file', large],
      ]),
    ]) {
      expect(response.status).toBe(200);
      expect(bodyOf(response).usage_info.doc_size_bytes).toBe(50 * megabyte);
    }
  });

  it('should return 413 for a document of more than 50 MB, in JSON and as a form', async () => {
    const large = Buffer.concat([png, Buffer.alloc(50 * megabyte + 1 - png.length)]);
    const inJson = await read({ document: inDocument(large) });
    expect(inJson.status).toBe(413);
    expect(inJson.body).toEqual(errorNaming('document'));
    const asForm = await upload([
      ['model', model],
      ['file', large],
    ]);
    expect(asForm.status).toBe(413);
    expect(asForm.body).toEqual(errorNaming('file'));
  });

  it.each<[string, string, object]>([
    ['no model', 'model', { model: undefined }],
    ['a model of another task', 'model', { model: 'universal-sentence-encoder-lite' }],
    ['no document', 'document', { document: undefined }],
    ['a stored file', 'document', { document: { type: 'file', file_id: 'f' } }],
    ['broken base64', 'document', { document: { document_url: 'data:application/pdf;base64,***' } }],
    ['a page that is not there', 'pages', { pages: [3] }],
    ['invalid pages', 'pages', { pages: '2-1' }],
    ['invalid languages', 'languages', { languages: [] }],
    ['an unknown granularity', 'confidence_scores_granularity', { confidence_scores_granularity: 'block' }],
    ['a negative limit of images', 'image_limit', { image_limit: -1 }],
    ['a fraction as size of images', 'image_min_size', { image_min_size: 1.5 }],
    ['tables', 'table_format', { table_format: 'html' }],
    ['an annotation', 'document_annotation_format', { document_annotation_format: { type: 'json_schema' } }],
    ['an unknown field', 'language', { language: 'en' }],
  ])('should return 400 naming the parameter for %s', async (_title, param, fields) => {
    const response = await read(fields);
    expect(response.status).toBe(400);
    expect(response.body).toEqual(errorNaming(param));
  });

  it.each(['plain text', 'GIF89a without an image'])(
    'should return 422 unreadable_document for content that is not a document: %s',
    async (text) => {
      const response = await read({ document: inDocument(Buffer.from(text)) });
      expect(response.status).toBe(422);
      expect(response.body).toEqual(errorNaming('document', 'unreadable_document'));
    },
  );

  it('should return 422 for an empty document, in JSON and as a form', async () => {
    const inJson = await read({ document: { document_url: 'data:application/pdf;base64,' } });
    const asForm = await upload([
      ['model', model],
      ['file', Buffer.alloc(0)],
    ]);
    for (const response of [inJson, asForm]) {
      expect(response.status).toBe(422);
      expect(response.body).toEqual(errorNaming('document', 'unreadable_document'));
    }
  });

  it('should return 404 for an unknown model, in JSON and as a form', async () => {
    const inJson = await read({ model: 'mistral-ocr-latest' });
    const asForm = await upload([
      ['model', 'mistral-ocr-latest'],
      ['file', pdf],
    ]);
    for (const response of [inJson, asForm]) {
      expect(response.status).toBe(404);
      expect(response.body).toEqual(errorNaming('model', 'model_not_found'));
    }
  });

  const json = { 'content-type': 'application/json' };
  it.each<[number, string, string, Record<string, string>]>([
    [400, 'is broken', '{"model":', json],
    [400, 'is an array', '[]', json],
    [400, 'is missing', '', json],
    [400, 'is a form without boundary', 'x', { 'content-type': 'multipart/form-data' }],
    [400, 'is an incomplete form', '--x\r\n', { 'content-type': 'multipart/form-data; boundary=x' }],
    [413, 'is large without a document', `{"model":"${model}","pages":"${'1'.repeat(2 * megabyte)}"}`, json],
    [413, 'is larger than 80 MB', 'x'.repeat(80 * megabyte + 1), json],
    [415, 'has no content type', 'x', { 'content-type': '' }],
    [415, 'is the document alone', 'x', { 'content-type': 'application/pdf' }],
  ])("should return %i in OpenAI's envelope if the body %s", async (status, _title, rawBody, headers) => {
    const response = await call(service.url, 'POST /v1/ocr', { token, rawBody, headers });
    expect(response.status).toBe(status);
    expect(response.body).toEqual(errorNaming(null));
  });

  it('should return 401 without a key, before reading the body', async () => {
    const response = await call(service.url, 'POST /v1/ocr', { rawBody: 'not JSON', headers: json });
    expect(response.status).toBe(401);
  });
});

describe('POST /v1/ocr with a form', () => {
  it('should return as many pictures as requested', async () => {
    const content = text('Two pictures', 40) + picture('red', 40, 80, 60, 50) + picture('blue', 40, 160, 60, 50);
    const response = await upload([
      ['model', model],
      ['file', writePictures([{ content }])],
      ['include_image_base64', 'true'],
      ['image_limit', '1'],
      ['image_min_size', '100'],
    ]);
    const [page] = bodyOf(response).pages;
    expect(page?.markdown).toBe('Two pictures\n\n![img-0.jpeg](img-0.jpeg)');
    const image = { id: 'img-0.jpeg', image_base64: expect.stringMatching(/^data:image\/jpeg;base64,/) as string };
    expect(page?.images).toMatchObject([image]);
  });

  it('should read a PDF with options, with the file first or last', async () => {
    const options: [string, string][] = [
      ['model', model],
      ['pages', '0,2'],
      ['confidence_scores_granularity', 'page'],
    ];
    for (const fields of [
      [...options, ['file', pdf]],
      [['file', pdf], ...options],
    ] as [string, string | Buffer][][]) {
      const response = await upload(fields);
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
    const fields: [string, string | Buffer][] = [
      ['model', model],
      ['file', document],
    ];
    const extracted = await upload([...fields, ['extract_header', 'true'], ['extract_footer', 'true']]);
    expect(bodyOf(extracted).pages).toMatchObject([
      { header: 'Harbour report', markdown: invoiceText, footer: 'Page 1' },
      { header: 'Harbour report', markdown: invoiceText, footer: 'Page 2' },
    ]);
    const complete = await upload(fields);
    expect(bodyOf(complete).pages[0]).toMatchObject({
      header: null,
      markdown: `Harbour report\n\n${invoiceText}\n\nPage 1`,
      footer: null,
    });
  });

  it.each<[string, string, [string, string | Buffer][]]>([
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
    const response = await upload(fields);
    expect(response.status).toBe(400);
    expect(response.body).toEqual(errorNaming(param));
  });
});

describe('POST /v1/ocr with a document URL', () => {
  it('should fetch and read the document', async () => {
    const server = await startDocumentServer((_request, response) => response.end(pdf));
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
    expect(usage.doc_size_bytes).toBe(pdf.length);
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
    const request = { ...defaults, pages: undefined, document: { bytes: pdf } };
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
      const response = await read({ document: { document_url: `${origin}:${inside.port}/document` } });
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
    const response = await call(offline.url, 'POST /v1/ocr', { token, body });
    expect(response.status).toBe(400);
    expect(response.body).toEqual(errorNaming('document'));
    expect(response.text).toContain('Fetching documents is disabled');
  });
});

describe('A client that disconnects', () => {
  const head = (headers: string) =>
    `POST /v1/ocr HTTP/1.1\r\nhost: keycard\r\nx-api-key: ${token}\r\n${headers}\r\n\r\n`;

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
    expect((await read({ pages: [0] })).status).toBe(200);
    expect(service.logLines.join('')).not.toContain('"level":50');
  });
});
