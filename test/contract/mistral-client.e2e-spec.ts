import type { MistralError } from '@mistralai/mistralai/models/errors';
import sharp from 'sharp';
import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { generateApiKey } from '../../src/api-keys/api-key.token.js';
import { drawInvoicePdf, drawInvoicePng, invoiceText } from '../documents-by-url/invoice.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { picture, text, writePictures } from '../../document-reader/test/documents/write-pictures.js';
import { useTestApp } from '../setup/use-test-app.js';
import { mistralClients } from './client-versions.js';

const model = 'tesseract';
const embeddingModel = 'universal-sentence-encoder-lite';
const models = [
  ...defaultModels().filter(({ id }) => id === embeddingModel),
  {
    id: model,
    aliases: [],
    task: 'ocr' as const,
    ownedBy: 'keycard',
    createdSeconds: 1_500_000_000,
    servedBy: { engine: 'tesseract' as const, languages: ['eng'] },
  },
];

const service = useTestApp({ config: { models } });
let key: string;
let pdf: string;
let png: string;

beforeAll(async () => {
  pdf = `data:application/pdf;base64,${(await drawInvoicePdf(3)).toString('base64')}`;
  png = `data:image/png;base64,${(await drawInvoicePng()).toString('base64')}`;
  key = (await createApiKey(service, await createMember(service))).key;
});

describe.each(mistralClients)('The $version client', ({ version, Mistral, errors }) => {
  let client: InstanceType<typeof Mistral>;

  beforeAll(() => {
    client = clientWith(key);
  });

  const clientWith = (apiKey: string) =>
    new Mistral({ serverURL: service.url, apiKey, retryConfig: { strategy: 'none' } });

  const failureOf = async (result: Promise<unknown>): Promise<MistralError> => {
    const failure: unknown = await result.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(errors.MistralError);
    return failure as MistralError;
  };

  it('should list and retrieve models with their capabilities', async () => {
    const { data } = await client.models.list();
    const found = data?.map((listed) => ('id' in listed ? [listed.id, listed.type, listed.capabilities.ocr] : []));
    expect(found).toEqual([
      [embeddingModel, 'base', false],
      [model, 'base', true],
    ]);
    const retrieved = await client.models.retrieve({ modelId: model });
    expect(retrieved).toMatchObject({ id: model, type: 'base', ownedBy: 'keycard', capabilities: { ocr: true } });
  });

  it('should embed a single text and several texts', async () => {
    const single = await client.embeddings.create({ model: embeddingModel, inputs: 'How do I reset my password?' });
    expect(single).toMatchObject({ model: embeddingModel, object: 'list', usage: { promptTokens: 8, totalTokens: 8 } });
    expect(single.id).toMatch(/^embd-/);
    expect(single.data[0]?.embedding).toHaveLength(512);
    const inputs = ['How do I reset my password?', 'Bananas are rich in potassium'];
    const batch = await client.embeddings.create({
      model: embeddingModel,
      inputs,
      outputDimension: 64,
      outputDtype: 'float',
      encodingFormat: 'float',
      metadata: { team: { name: 'search', ids: [1, 2] } },
    });
    expect(batch.data.map(({ index, embedding }) => [index, embedding?.length])).toEqual([
      [0, 64],
      [1, 64],
    ]);
  });

  it('should raise an error naming the supported output_dtype', async () => {
    const request = { model: embeddingModel, inputs: 'Hello', outputDtype: 'int8' as const };
    const failure = await failureOf(client.embeddings.create(request));
    expect(failure.statusCode).toBe(400);
    expect(JSON.parse(failure.body)).toMatchObject({
      object: 'error',
      message: expect.stringContaining('must be float') as string,
      type: 'invalid_request_error',
      param: 'output_dtype',
      code: null,
    });
  });

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
      expect(confidenceScores ?? null).toBeNull();
    }
  });

  it('should return the pictures of a PDF, with references in the Markdown', async () => {
    const content = text('Before the picture', 40) + picture('red', 40, 80, 60, 50) + text('After the picture', 160);
    const bytes = writePictures([{ content: text('A digital page without pictures', 40) }, { content }]);
    const document = { documentUrl: `data:application/pdf;base64,${bytes.toString('base64')}` };
    const plain = await client.ocr.process({ model, document });
    const read = await client.ocr.process({
      model,
      document,
      includeImageBase64: true,
      imageLimit: 5,
      imageMinSize: 50,
    });
    for (const { pages } of [plain, read]) {
      expect(pages.map(({ images }) => images.map(({ id }) => id))).toEqual([[], ['img-0.jpeg']]);
      expect(pages[1]?.markdown).toBe('Before the picture\n\n![img-0.jpeg](img-0.jpeg)\n\nAfter the picture');
    }
    const image = read.pages[1]?.images[0];
    expect(plain.pages[1]?.images).toEqual([{ ...image, imageBase64: null }]);
    const [prefix, base64 = ''] = image?.imageBase64?.split(',') ?? [];
    expect(prefix).toBe('data:image/jpeg;base64');
    const { width, height } = await sharp(Buffer.from(base64, 'base64')).metadata();
    const { topLeftX, topLeftY, bottomRightX, bottomRightY } = image ?? {};
    expect([width, height]).toEqual([(bottomRightX ?? 0) - (topLeftX ?? 0), (bottomRightY ?? 0) - (topLeftY ?? 0)]);
  });

  it('should read selected pages', async () => {
    const document = { documentUrl: pdf, documentName: 'invoice.pdf' };
    const { pages } = await client.ocr.process({ model, document, pages: [1, 2] });
    expect(pages.map(({ index }) => index)).toEqual([1, 2]);
    if (version === 'mistralai-1') return;
    const detailed = await client.ocr.process({ model, document, pages: '2', confidenceScoresGranularity: 'word' });
    expect(detailed.pages.map(({ index }) => index)).toEqual([2]);
    const { markdown, confidenceScores } = detailed.pages[0] ?? {};
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
    expect(failure).toBeInstanceOf(errors.SDKError);
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
    expect(failure).toBeInstanceOf(errors.HTTPValidationError);
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
