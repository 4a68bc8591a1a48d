import { setImmediate as turn } from 'node:timers/promises';
import { writeEmbeddingsResponse } from './embeddings-response.js';

const vectors = Array.from({ length: 2048 }, (_, index) => Float32Array.of(3, 4, index));
const result = {
  requestId: 'request',
  model: 'a "model"',
  vectors,
  encodingFormat: 'float',
  dimensions: 2,
  tokens: 7,
} as const;

async function textOf(response: ReturnType<typeof writeEmbeddingsResponse>): Promise<string> {
  if (typeof response === 'string') return response;
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

describe('writeEmbeddingsResponse', () => {
  it.each([1, 16, 17, 2048])("should write %i vectors in OpenAI's and Mistral's format", async (count) => {
    const text = await textOf(writeEmbeddingsResponse({ ...result, vectors: vectors.slice(0, count) }));
    expect(JSON.parse(text)).toEqual({
      id: 'embd-request',
      object: 'list',
      data: Array.from({ length: count }, (_, index) => {
        const embedding = [Math.fround(0.6), Math.fround(0.8)].map((value) => expect.closeTo(value, 6) as number);
        return { object: 'embedding', index, embedding };
      }),
      model: 'a "model"',
      usage: { prompt_tokens: 7, total_tokens: 7 },
    });
  });

  it('should write a large response in many turns, and only when it is read', async () => {
    const response = writeEmbeddingsResponse(result);
    if (typeof response === 'string') throw new Error('The response is not a stream.');
    await turn();
    expect(response.readableLength).toBe(0);
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    for await (const chunk of response) expect(String(chunk).split('"index"').length - 1).toBeLessThanOrEqual(16);
    isDone = true;
    expect(turns).toBeGreaterThan(100);
  });
});
