import type { EmbeddingsResponseDto } from '../../src/ai-gateway/tasks/embeddings/embeddings-response.js';
import { VectorCache } from '../../src/ai-gateway/tasks/embeddings/vector-cache.js';
import { MetricsService } from '../../src/metrics/metrics.service.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readCounters, setLimits } from '../factories/limits.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { readRecordedUsage } from '../setup/recorded-usage.js';
import { useTestApp } from '../setup/use-test-app.js';

const model = 'universal-sentence-encoder-lite';
const megabyte = 1024 * 1024;
const service = useTestApp({ config: { embeddingsCacheMb: 1, metrics: { host: '127.0.0.1', port: 0 } } });
let key: CreatedKey;

/** Each test has an organization of its own, and so an empty cache. */
beforeEach(async () => {
  key = await createApiKey(service, await createMember(service));
});

async function embed(fields: object, token = key.key) {
  const response = await call(service.url, 'POST /v1/embeddings', { token, body: { model, ...fields } });
  const { data, usage } = response.body as EmbeddingsResponseDto;
  return { ...response, vectors: data?.map(({ embedding }) => embedding), tokens: usage?.prompt_tokens };
}

/** Runs the function, and returns how many texts it found in the cache and how many it didn't. */
async function countLookups(run: () => Promise<unknown>): Promise<{ hits: number; misses: number }> {
  const cache = service.app.get(VectorCache);
  const before = { hits: cache.hits, misses: cache.misses };
  await run();
  return { hits: cache.hits - before.hits, misses: cache.misses - before.misses };
}

describe('The cache of vectors', () => {
  it('should return the same vectors again, in any format and length', async () => {
    const input = 'How do I reset my password?';
    const formats = [{}, { encoding_format: 'base64' }, { dimensions: 64 }];
    // Without the cache, because the key belongs to another organization.
    const expected: unknown[] = [];
    for (const format of formats) {
      const other = await createApiKey(service, await createMember(service));
      expected.push((await embed({ input, ...format }, other.key)).vectors);
    }
    await embed({ input });
    const lookups = await countLookups(async () => {
      for (const [index, format] of formats.entries()) {
        expect((await embed({ input, ...format })).vectors).toEqual(expected[index]);
      }
    });
    expect(lookups).toEqual({ hits: 3, misses: 0 });
  });

  it('should not be shared by organizations', async () => {
    const other = await createApiKey(service, await createMember(service));
    await embed({ input: 'red apples' });
    expect(await countLookups(() => embed({ input: 'red apples' }, other.key))).toEqual({ hits: 0, misses: 1 });
  });

  it('should keep the order of texts when some are cached', async () => {
    const input = ['red apples', 'an unpaid invoice', 'the winter evening', 'a new customer'];
    const separate: unknown[] = [];
    const other = await createApiKey(service, await createMember(service));
    for (const text of input) separate.push((await embed({ input: text, dimensions: 4 }, other.key)).vectors?.[0]);
    await embed({ input: [input[2], input[1]] });
    const lookups = await countLookups(async () => {
      const { vectors = [] } = await embed({ input, dimensions: 4 });
      for (const [index, vector] of vectors.entries()) {
        const expected = separate[index] as number[];
        (vector as number[]).forEach((value, position) => expect(value).toBeCloseTo(expected[position] ?? NaN, 5));
      }
      expect(vectors).toHaveLength(4);
    });
    expect(lookups).toEqual({ hits: 2, misses: 2 });
  });

  it('should charge repeated texts like new ones', async () => {
    await setLimits(service, { keyId: key.id }, [{ metric: 'tokens', per: 'month', max: 12 }]);
    const input = 'How do I reset my password?';
    expect((await embed({ input })).tokens).toBe(8);
    expect((await embed({ input })).status).toBe(429);
    expect((await embed({ input: 'red' })).tokens).toBe(1);
    expect((await embed({ input: 'red' })).tokens).toBe(1);
    expect(await readCounters(service, key.id)).toEqual({ 'tokens/month': [10, 0] });
    expect((await readRecordedUsage(service, [key.id])).get(key.id)).toMatchObject({ requests: 3, inputTokens: 10 });
  });

  it('should warn of repeated texts in other languages', async () => {
    const input = ['Wie setze ich mein Passwort zurück?', '😀'];
    for (const text of [...input, ...input]) {
      expect((await embed({ input: text })).headers.get('x-keycard-warning')).toBe('language');
    }
  });

  it('should drop the least recently used vectors beyond its memory', async () => {
    const cache = service.app.get(VectorCache);
    const texts = Array.from({ length: 600 }, (_, index) => `invoice ${index}`);
    await embed({ input: texts, encoding_format: 'base64' });
    expect(cache.bytes).toBeLessThanOrEqual(megabyte);
    expect(cache.bytes).toBeGreaterThan(0.9 * megabyte);
    expect(await countLookups(() => embed({ input: ['invoice 599', 'invoice 0'] }))).toEqual({ hits: 1, misses: 1 });
  });

  it('should count its texts in metrics', async () => {
    const read = async () => {
      const text = await (await fetch(service.app.get(MetricsService).url ?? '')).text();
      const value = (outcome: string) =>
        Number(
          new RegExp(`^keycard_embeddings_cache_texts_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(text)?.[1],
        );
      return { hits: value('hit'), misses: value('miss') };
    };
    const before = await read();
    await embed({ input: ['green', 'red'] });
    await embed({ input: 'red' });
    const { hits, misses } = await read();
    expect({ hits: hits - before.hits, misses: misses - before.misses }).toEqual({ hits: 1, misses: 2 });
  });
});
