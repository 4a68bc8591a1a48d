import { invoiceText } from '../documents-by-url/invoice.js';
import { drawTextImage } from '../../document-reader/test/documents/draw-image.js';
import { drawDigitalPdf, drawMixedPdf } from '../../document-reader/test/documents/draw-pdf.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { readRecordedUsage } from '../setup/recorded-usage.js';
import { bodyOf, dataUrl, errorNaming, inDocument, model, pagesOf, useOcrGateway } from './ocr-gateway.js';

const megabyte = 1024 * 1024;
const service = useOcrGateway();

describe('POST /v1/ocr', () => {
  it("should return all fields of Mistral's format", async () => {
    const response = await service.read({ id: 'request-1', include_image_base64: false });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const { pages, ...rest } = bodyOf(response);
    expect(rest).toEqual({
      model,
      document_annotation: null,
      usage_info: { pages_processed: 3, doc_size_bytes: service.pdf.length },
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
        confidence: 1,
        warning: null,
        languages: [],
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
    const inJson = await service.read({ document: inDocument(german), languages: ['deu'] });
    expect(inJson.body).toMatchObject(expected);
    const asForm = await service.upload([
      ['model', model],
      ['languages', 'deu'],
      ['file', german],
    ]);
    expect(asForm.body).toMatchObject(expected);
  });

  it('should return a page without text if another page has text', async () => {
    const response = await service.read({
      document: inDocument(await drawMixedPdf(['This page has digital text.', ''])),
    });
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
    const response = await service.read({ document: place(dataUrl(service.png, 'image/png')) });
    expect(response.status).toBe(200);
    expect(bodyOf(response).pages).toMatchObject([
      {
        markdown: expect.stringContaining(invoiceText) as string,
        confidence: expect.closeTo(0.95, 1) as number,
        languages: ['eng'],
      },
    ]);
    expect(bodyOf(response).usage_info).toEqual({ pages_processed: 1, doc_size_bytes: service.png.length });
  });

  it('should detect the type of a document from its content, regardless of its declared type', async () => {
    const response = await service.read({
      document: { type: 'image_url', image_url: dataUrl(service.pdf, 'image/png') },
    });
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
    const response = await service.read({ pages });
    expect(pagesOf(response)).toEqual(indexes);
    expect(bodyOf(response).usage_info.pages_processed).toBe(indexes.length);
  });

  it.each([
    ['page', false],
    ['word', true],
  ])('should return confidence scores with the granularity %s', async (granularity, hasWords) => {
    const response = await service.read({ pages: [0], confidence_scores_granularity: granularity });
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
    const response = await service.read({ model: 'scan', pages: [0] });
    expect(bodyOf(response).model).toBe('scan');
  });

  it('should read a document of 50 MB, in JSON and as a form', async () => {
    const large = Buffer.concat([service.png, Buffer.alloc(50 * megabyte - service.png.length)]);
    for (const response of [
      await service.read({ document: inDocument(large) }),
      await service.upload([
        ['model', model],
        ['file', large],
      ]),
    ]) {
      expect(response.status).toBe(200);
      expect(bodyOf(response).usage_info.doc_size_bytes).toBe(50 * megabyte);
    }
  });

  it('should return 400 listing the installed languages for another language', async () => {
    const response = await service.read({ languages: ['deu', 'tlh'] });
    expect(response.status).toBe(400);
    expect(response.body).toEqual(errorNaming('languages'));
    expect(response.text).toContain(
      "'tlh' is not installed. Installed languages: deu, ell, eng, fra, ita, nld, por, spa.",
    );
  });

  it('should return 413 for a document of more than 50 MB, in JSON and as a form', async () => {
    const large = Buffer.concat([service.png, Buffer.alloc(50 * megabyte + 1 - service.png.length)]);
    const inJson = await service.read({ document: inDocument(large) });
    expect(inJson.status).toBe(413);
    expect(inJson.body).toEqual(errorNaming('document'));
    const asForm = await service.upload([
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
    const response = await service.read(fields);
    expect(response.status).toBe(400);
    expect(response.body).toEqual(errorNaming(param));
  });

  it.each(['plain text', 'GIF89a without an image'])(
    'should return 422 unreadable_document for content that is not a document: %s',
    async (text) => {
      const response = await service.read({ document: inDocument(Buffer.from(text)) });
      expect(response.status).toBe(422);
      expect(response.body).toEqual(errorNaming('document', 'unreadable_document'));
    },
  );

  it('should return 422 for an empty document, in JSON and as a form', async () => {
    const inJson = await service.read({ document: { document_url: 'data:application/pdf;base64,' } });
    const asForm = await service.upload([
      ['model', model],
      ['file', Buffer.alloc(0)],
    ]);
    for (const response of [inJson, asForm]) {
      expect(response.status).toBe(422);
      expect(response.body).toEqual(errorNaming('document', 'unreadable_document'));
    }
  });

  it('should return 404 for an unknown model, in JSON and as a form', async () => {
    const inJson = await service.read({ model: 'mistral-ocr-latest' });
    const asForm = await service.upload([
      ['model', 'mistral-ocr-latest'],
      ['file', service.pdf],
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
    const response = await call(service.url, 'POST /v1/ocr', { token: service.key, rawBody, headers });
    expect(response.status).toBe(status);
    expect(response.body).toEqual(errorNaming(null));
  });

  it('should return 401 without a key, before reading the body', async () => {
    const response = await call(service.url, 'POST /v1/ocr', { rawBody: 'not JSON', headers: json });
    expect(response.status).toBe(401);
  });
});
