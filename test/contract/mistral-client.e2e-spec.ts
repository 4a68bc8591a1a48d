import { Mistral } from '@mistralai/mistralai';
import { HTTPValidationError, MistralError, SDKError } from '@mistralai/mistralai/models/errors';
import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { generateApiKey } from '../../src/api-keys/api-key.token.js';
import { drawInvoicePdf, drawInvoicePng, invoiceText } from '../documents-by-url/invoice.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { useTestApp } from '../setup/use-test-app.js';

const model = 'tesseract';
const models = [
  ...defaultModels().filter(({ task }) => task === 'embeddings'),
  {
    id: model,
    aliases: [],
    task: 'ocr' as const,
    ownedBy: 'keycard',
    createdSeconds: 1_500_000_000,
    servedBy: { engine: 'tesseract' as const, languages: ['eng'] },
  },
];

describe('The @mistralai/mistralai client', () => {
  let client: Mistral;
  let pdf: string;
  let png: string;

  const clientWith = (apiKey: string) =>
    new Mistral({ serverURL: service.url, apiKey, retryConfig: { strategy: 'none' } });

  const service = useTestApp({ config: { models } });
  beforeAll(async () => {
    pdf = `data:application/pdf;base64,${(await drawInvoicePdf(3)).toString('base64')}`;
    png = `data:image/png;base64,${(await drawInvoicePng()).toString('base64')}`;
    client = clientWith((await createApiKey(service, await createMember(service))).key);
  });

  const failureOf = async (result: Promise<unknown>): Promise<MistralError> => {
    const failure: unknown = await result.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(MistralError);
    return failure as MistralError;
  };

  it('should read a PDF', async () => {
    const read = await client.ocr.process({ model, document: { type: 'document_url', documentUrl: pdf } });
    expect(read.model).toBe(model);
    expect(read.usageInfo.pagesProcessed).toBe(3);
    expect(read.usageInfo.docSizeBytes).toBeGreaterThan(500);
    expect(read.pages.map(({ index }) => index)).toEqual([0, 1, 2]);
    for (const { markdown, images, tables, hyperlinks, header, dimensions, confidenceScores } of read.pages) {
      expect(markdown).toContain(invoiceText);
      expect({ images, tables, hyperlinks, header }).toEqual({ images: [], tables: [], hyperlinks: [], header: null });
      expect(dimensions?.dpi).toBeGreaterThan(0);
      expect(confidenceScores).toBeNull();
    }
  });

  it('should read selected pages with word confidences', async () => {
    const { pages } = await client.ocr.process({
      model,
      document: { documentUrl: pdf, documentName: 'invoice.pdf' },
      pages: '1-2',
      confidenceScoresGranularity: 'word',
    });
    expect(pages.map(({ index }) => index)).toEqual([1, 2]);
    const { markdown, confidenceScores } = pages[0] ?? {};
    expect(confidenceScores?.averagePageConfidenceScore).toBeGreaterThan(0.5);
    const [word] = confidenceScores?.wordConfidenceScores ?? [];
    expect(markdown?.slice(word?.startIndex).startsWith(word?.text ?? 'a word')).toBe(true);
  });

  it.each([
    ['a URL', (url: string) => url],
    ['a URL with detail', (url: string) => ({ url, detail: 'auto' as const })],
  ])('should read an image given as %s', async (_title, place) => {
    const { pages } = await client.ocr.process({
      model,
      document: { type: 'image_url', imageUrl: place(png) },
      includeImageBase64: false,
      tableFormat: null,
    });
    expect(pages[0]?.markdown).toContain(invoiceText);
  });

  it('should raise an error naming an unsupported option', async () => {
    const failure = await failureOf(client.ocr.process({ model, document: { documentUrl: pdf }, tableFormat: 'html' }));
    expect(failure).toBeInstanceOf(SDKError);
    expect(failure.statusCode).toBe(400);
    expect(failure.message).toContain('table_format');
  });

  it('should raise errors with status and reason for an unknown key, model and file', async () => {
    const document = { documentUrl: pdf };
    const unknownKey = await failureOf(clientWith(generateApiKey()).ocr.process({ model, document }));
    expect(unknownKey).toMatchObject({ statusCode: 401, message: expect.stringContaining('API key') as string });
    const unknownModel = await failureOf(client.ocr.process({ model: 'mistral-ocr-latest', document }));
    expect(unknownModel).toMatchObject({
      statusCode: 404,
      message: expect.stringContaining('mistral-ocr-latest') as string,
    });
    const file = await failureOf(client.ocr.process({ model, document: { type: 'file', fileId: 'a-file' } }));
    expect(file).toMatchObject({ statusCode: 400, message: expect.stringContaining('not stored') as string });
  });

  it('should raise HTTPValidationError with the reason for an unreadable document', async () => {
    const document = { documentUrl: 'data:application/pdf;base64,dGV4dA==' };
    const failure = await failureOf(client.ocr.process({ model, document }));
    expect(failure).toBeInstanceOf(HTTPValidationError);
    expect(failure.statusCode).toBe(422);
    expect(failure.message).toContain('unreadable_document');
    expect(JSON.parse(failure.body)).toMatchObject({ error: { param: 'document' } });
  });

  it('should be able to abort a request and send another', async () => {
    const controller = new AbortController();
    const abandoned = client.ocr.process(
      { model, document: { documentUrl: pdf } },
      { fetchOptions: { signal: controller.signal } },
    );
    controller.abort();
    await expect(abandoned).rejects.toThrow(/abort/i);
    const { pages } = await client.ocr.process({ model, document: { documentUrl: pdf }, pages: [0] });
    expect(pages).toHaveLength(1);
  });
});
