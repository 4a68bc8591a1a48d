import { invoiceText } from '../documents-by-url/invoice.js';
import { drawTextImage } from '../documents/draw-image.js';
import { drawDigitalPdf, drawMixedPdf } from '../documents/draw-pdf.js';
import { picture, text, writePictures } from '../documents/write-pictures.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { readRecordedUsage } from '../setup/recorded-usage.js';
import {
  bodyOf,
  dataUrl,
  errorNaming,
  type FormFields,
  inDocument,
  model,
  pagesOf,
  useOcrGateway,
} from './ocr-gateway.js';

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
});

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
});
