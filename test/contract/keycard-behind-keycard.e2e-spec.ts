import { Mistral } from '@mistralai/mistralai';
import type { DocumentURLChunk } from '@mistralai/mistralai/models/components';
import { MistralError } from '@mistralai/mistralai/models/errors';
import OpenAI from 'openai';
import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { drawDigitalPdf } from '../../document-reader/test/documents/draw-pdf.js';
import { type Gateway, useGateway } from '../setup/gateway.js';
import { upstreamModel } from '../setup/upstream.js';

const remoteModel = 'universal-sentence-encoder-lite';

describe('The openai client with one Keycard behind another', () => {
  const back = useGateway(() => defaultModels());
  const front = useGateway(() => {
    const target = { baseUrl: `${back.url}/v1`, apiKey: back.key, model: remoteModel };
    return [
      upstreamModel([target], { id: 'sentences' }),
      upstreamModel([{ ...target, apiKey: 'kc_wrong' }], { id: 'locked' }),
      upstreamModel([{ ...target, model: 'unknown' }], { id: 'misnamed' }),
    ];
  });
  let client: OpenAI;

  beforeAll(() => {
    client = new OpenAI({ baseURL: `${front.url}/v1`, apiKey: front.key, maxRetries: 0 });
  });

  const input = ['How do I reset my password?', 'Bananas are rich in potassium'];
  const direct = () => new OpenAI({ baseURL: `${back.url}/v1`, apiKey: back.key });
  const failure = (request: Promise<unknown>) => request.catch((thrown: unknown) => thrown);

  it.each(['float', 'base64'] as const)(
    'should get the same vectors as without the front Keycard, as %s',
    async (format) => {
      const there = await direct().embeddings.create({ model: remoteModel, input, encoding_format: format });
      const here = await client.embeddings.create({ model: 'sentences', input, encoding_format: format });
      const id = expect.stringMatching(/^embd-/) as string;
      expect(here).toEqual({ ...there, id, model: 'sentences' });
      expect(here.data).toHaveLength(2);
    },
  );

  it('should get thousands of vectors', async () => {
    const many = Array.from({ length: 2048 }, (_, index) => `Text ${index}`);
    const { data, usage, model } = await client.embeddings.create({ model: 'sentences', input: many });
    expect(data.map(({ index }) => index)).toEqual(many.map((_, index) => index));
    expect(data.every(({ embedding }) => embedding.length === 512)).toBe(true);
    expect(usage.total_tokens).toBeGreaterThan(4000);
    expect(model).toBe('sentences');
  });

  it("should raise BadRequestError with the upstream's message", async () => {
    const error = await failure(client.embeddings.create({ model: 'sentences', input: '' }));
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ status: 400, param: 'input', code: 'upstream_rejected' });
    expect(String(error)).toContain('input must not be empty');
  });

  it.each(['locked', 'misnamed'])(
    'should raise InternalServerError for a misconfigured upstream (%s)',
    async (model) => {
      const error = await failure(client.embeddings.create({ model, input: 'a' }));
      expect(error).toBeInstanceOf(OpenAI.InternalServerError);
      expect(error).toMatchObject({ status: 502, code: 'upstream_failed' });
    },
  );

  it('should log the same request id in both', async () => {
    const { _request_id: id } = await client.embeddings.create({ model: 'sentences', input: 'a' });
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    for (const { logLines } of [front, back]) {
      expect(logLines.filter((line) => line.includes(`"requestId":"${id}"`))).toHaveLength(1);
    }
  });

  it("should cancel the upstream's work when it disconnects", async () => {
    front.logLines.length = 0;
    const controller = new AbortController();
    const many = Array.from({ length: 2000 }, (_, number) => `An abandoned text, number ${number}`);
    const abandoned = client.embeddings.create({ model: 'sentences', input: many }, { signal: controller.signal });
    await client.models.list();
    controller.abort();
    await expect(abandoned).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    expect((await client.embeddings.create({ model: 'sentences', input: 'a' })).data).toHaveLength(1);
    expect(front.logLines.join('')).not.toMatch(/"level":[45]0/);
  });
});

describe("Mistral's client with one Keycard behind another", () => {
  const back = useGateway(() => defaultModels());
  const front = useGateway(() => {
    const target = { baseUrl: `${back.url}/v1`, apiKey: back.key, model: 'tesseract' };
    return [upstreamModel([target], { id: 'documents', task: 'ocr' })];
  });
  const texts = ['The first page of a digital document', 'The second page of a digital document'];
  let document: DocumentURLChunk;

  beforeAll(async () => {
    const pdf = await drawDigitalPdf(texts.map((text) => ({ passages: [text] })));
    document = { type: 'document_url', documentUrl: `data:application/pdf;base64,${pdf.toString('base64')}` };
  });

  const clientOf = ({ url, key }: Gateway) =>
    new Mistral({ serverURL: url, apiKey: key, retryConfig: { strategy: 'none' } });

  it('should get the same pages as without the front Keycard, counted by both', async () => {
    const there = await clientOf(back).ocr.process({ model: 'tesseract', document });
    const here = await clientOf(front).ocr.process({ model: 'documents', document });
    expect(here).toEqual({ ...there, model: 'documents' });
    expect(here.pages.map(({ markdown }) => markdown)).toEqual(texts);
    const usageOf = ({ query }: Gateway) => query('select model, sum(pages)::int as pages from usage group by model');
    expect(await usageOf(front)).toEqual([{ model: 'documents', pages: 2 }]);
    expect(await usageOf(back)).toEqual([{ model: 'tesseract', pages: 4 }]);
  });

  it("should get the upstream's message for an invalid request", async () => {
    const failure: unknown = await clientOf(front)
      .ocr.process({ model: 'documents', document, pages: [7] })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(MistralError);
    expect(failure).toMatchObject({ statusCode: 400, body: expect.stringContaining('pages') as string });
  });

  it('should get a 415 asking for JSON if it sends a form', async () => {
    const form = new FormData();
    form.append('model', 'documents');
    form.append('file', new Blob(['%PDF-1.7']), 'a.pdf');
    const headers = { 'x-api-key': front.key };
    const response = await fetch(`${front.url}/v1/ocr`, { method: 'POST', headers, body: form });
    expect(response.status).toBe(415);
    expect(await response.text()).toContain('takes JSON');
  });
});
