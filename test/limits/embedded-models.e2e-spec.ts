import fc from 'fast-check';
import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { drawInvoicePdf } from '../documents-by-url/invoice.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readCounters, setLimits } from '../factories/limits.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { readRecordedUsage } from '../setup/recorded-usage.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const model = 'universal-sentence-encoder-lite';
const service = useTestApp({ config: { models: defaultModels() } });
let member: Member;
let key: CreatedKey;

beforeEach(async () => {
  member = await createMember(service);
  key = await createApiKey(service, member);
});

const embed = async (input: string, token = key.key) => {
  const { status, body } = await call(service.url, 'POST /v1/embeddings', { token, body: { model, input } });
  return { status, tokens: status === 200 ? (body as { usage: { prompt_tokens: number } }).usage.prompt_tokens : 0 };
};
const usage = async () => (await readRecordedUsage(service, [key.id])).get(key.id);
const someTexts = fc.array(
  fc.array(fc.constantFrom('key', 'limit', 'of', 'an', 'organization', 'budget', 'refill'), {
    minLength: 1,
    maxLength: 30,
  }),
  { minLength: 5, maxLength: 15 },
);

describe('A limit on the tokens of an embedded model', () => {
  it('should admit a request exactly if it fits, while no other runs, and charge what usage records', async () => {
    const counter = await createApiKey(service, member);
    const property = fc.asyncProperty(someTexts, async (texts) => {
      key = await createApiKey(service, member);
      const max = 40;
      await setLimits(service, { keyId: key.id }, [{ metric: 'tokens', per: 'month', max }]);
      let used = 0;
      for (const words of texts) {
        const text = words.join(' ');
        const { tokens } = await embed(text, counter.key);
        const { status } = await embed(text);
        expect([text, status]).toEqual([text, used + tokens <= max ? 200 : 429]);
        if (status === 200) used += tokens;
      }
      expect(await readCounters(service, key.id)).toEqual({ 'tokens/month': [used, 0] });
      expect((await usage())?.inputTokens).toBe(used);
    });
    await fc.assert(property, { numRuns: 8, endOnFailure: true });
  });

  it('should never be exceeded by concurrent requests', async () => {
    await setLimits(service, { organizationId: member.organizationId }, [{ metric: 'tokens', per: 'day', max: 100 }]);
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, index) => embed('budget '.repeat(1 + (index % 12)))),
    );
    const used = responses.reduce((sum, { tokens }) => sum + tokens, 0);
    expect(used).toBeLessThanOrEqual(100);
    expect(responses.filter(({ status }) => status === 200 || status === 429)).toHaveLength(responses.length);
    expect(await readCounters(service, member.organizationId)).toEqual({ 'tokens/day': [used, 0] });
    expect((await usage())?.inputTokens).toBe(used);
    // Requests that were rejected leave nothing reserved.
    for (let left = 100 - used; left > 0; left--) expect(await embed('budget')).toEqual({ status: 200, tokens: 1 });
    expect((await embed('budget')).status).toBe(429);
  });

  it('should get back what a request reserved whose client disconnects', async () => {
    await setLimits(service, { keyId: key.id }, [{ metric: 'tokens', per: 'day', max: 1_000_000 }]);
    const disconnect = new AbortController();
    const headers = { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ model, input: Array.from({ length: 40 }, () => 'A long text. '.repeat(100)) });
    const sent = fetch(`${service.url}/v1/embeddings`, { method: 'POST', headers, body, signal: disconnect.signal });
    const reserved = async () => (await readCounters(service, key.id))['tokens/day']?.[1];
    await waitFor(async () => (await reserved()) !== 0);
    disconnect.abort();
    await expect(sent).rejects.toThrow();
    await waitFor(async () => (await reserved()) === 0);
  });
});

describe('A limit on the pages of an embedded model', () => {
  it('should reject a document with more pages than are left before it reads any', async () => {
    await setLimits(service, { keyId: key.id }, [{ metric: 'pages', per: 'day', max: 3 }]);
    const read = async (pages: number) => {
      const url = `data:application/pdf;base64,${(await drawInvoicePdf(pages)).toString('base64')}`;
      const body = { model: 'tesseract', document: { type: 'document_url', document_url: url } };
      return call(service.url, 'POST /v1/ocr', { token: key.key, body });
    };
    expect((await read(2)).status).toBe(200);
    const rejected = await read(2);
    expect(rejected.status).toBe(429);
    expect(rejected.body).toMatchObject({
      error: {
        message: expect.stringContaining(
          "This key's limit of 3 pages per day has 2 pages charged and 0 pages reserved; the request has 2 pages.",
        ) as unknown,
      },
    });
    expect(await readCounters(service, key.id)).toEqual({ 'pages/day': [2, 0] });
    expect((await read(1)).status).toBe(200);
    expect((await read(1)).status).toBe(429);
    expect(await readCounters(service, key.id)).toEqual({ 'pages/day': [3, 0] });
  });
});
