import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import type { EmbeddingsResponseDto } from '../../src/ai-gateway/tasks/embeddings/embeddings-response.js';
import { VectorCache } from '../../src/ai-gateway/tasks/embeddings/vector-cache.js';
import { runNode } from '../contract/run-node.js';
import { englishProse } from '../../document-reader/test/documents/texts.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { aiError } from '../setup/ai-error.js';
import { type CallResponse, call } from '../setup/call.js';
import { makeTemporaryFolder } from '../setup/temporary-folder.js';
import { useTestApp } from '../setup/use-test-app.js';

const model = 'universal-sentence-encoder-lite';
const service = useTestApp();
let token: string;

beforeAll(async () => {
  token = (await createApiKey(service, await createMember(service))).key;
});

const embed = (fields: object) => call(service.url, 'POST /v1/embeddings', { token, body: { model, ...fields } });
const bodyOf = (response: CallResponse) => response.body as EmbeddingsResponseDto;
const vectorsOf = (response: CallResponse) => bodyOf(response).data.map(({ embedding }) => embedding as number[]);
const lengthOf = (vector: number[]) => Math.hypot(...vector);
const similarity = (a: number[] = [], b: number[] = []) =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

function decodeBase64(text: unknown): number[] {
  const bytes = Buffer.from(String(text), 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}

describe('POST /v1/embeddings', () => {
  it("should return all fields of OpenAI's and Mistral's format", async () => {
    const response = await embed({ input: 'How do I reset my password?', user: 'user-1' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const { data, ...rest } = bodyOf(response);
    const id = `embd-${response.headers.get('x-request-id')}`;
    expect(rest).toEqual({ id, object: 'list', model, usage: { prompt_tokens: 8, total_tokens: 8 } });
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({ object: 'embedding', index: 0 });
    expect(data[0]?.embedding).toHaveLength(512);
    expect(lengthOf(vectorsOf(response)[0] ?? [])).toBeCloseTo(1, 5);
  });

  it('should embed several texts in order, as it does individually', async () => {
    const input = ['I forgot my login credentials', 'Bananas are rich in potassium', 'How do I reset my password?'];
    const together = await embed({ input });
    expect(bodyOf(together).data.map(({ index }) => index)).toEqual([0, 1, 2]);
    const [login, bananas, password] = vectorsOf(together);
    expect(similarity(login, password)).toBeGreaterThan(similarity(login, bananas));
    for (const [index, text] of input.entries()) {
      const [alone] = vectorsOf(await embed({ input: text }));
      expect(similarity(alone, vectorsOf(together)[index])).toBeCloseTo(1, 5);
    }
  });

  it.each([
    ['a German text among English ones', ['How do I reset my password?', 'Wie setze ich mein Passwort zurück?']],
    [
      'a French text among many',
      [...Array<string>(100).fill('red'), 'La facture doit encore être payée avant vendredi.'],
    ],
    ['a Japanese text', '請求書はまだ支払われていません。'],
    ['an emoji', '😀'],
    ['several emoji among texts', ['How do I reset my password?', '🎉 🚀🚀']],
  ])('should warn of %s', async (_, input) => {
    const response = await embed({ input });
    expect(response.headers.get('x-keycard-warning')).toBe('language');
    expect(Object.keys(bodyOf(response))).toEqual(['id', 'object', 'data', 'model', 'usage']);
  });

  it.each([
    ['English', 'I forgot my login credentials and need to set new ones. 😀'],
    ['a few words', ['Wo ist das?', 'red shoes', 'Johann Sebastian Bach']],
    ['numbers', ['12345', '3.14159 2.71828 1.41421 0 1 1 2 3 5 8']],
    ['code', 'for (let index = 0; index < items.length; index += 1) total += items[index].price;'],
  ])('should not warn of %s', async (_, input) => {
    const { status, headers } = await embed({ input });
    expect([status, headers.get('x-keycard-warning')]).toEqual([200, null]);
  });

  it('should count the tokens of all texts', async () => {
    const counts = await Promise.all(
      ['one', 'two words'].map(async (input) => bodyOf(await embed({ input })).usage.total_tokens),
    );
    const { usage } = bodyOf(await embed({ input: ['one', 'two words'] }));
    expect(usage.total_tokens).toBe((counts[0] ?? 0) + (counts[1] ?? 0));
  });

  it('should return the same values as base64-encoded little-endian floats', async () => {
    const input = ['The quick brown fox', 'jumps over the lazy dog'];
    const numbers = vectorsOf(await embed({ input, encoding_format: 'float' }));
    const encoded = bodyOf(await embed({ input, encoding_format: 'base64' })).data.map((item) =>
      decodeBase64(item.embedding),
    );
    expect(encoded.map((vector) => vector.length)).toEqual([512, 512]);
    for (const [index, vector] of encoded.entries()) expect(similarity(vector, numbers[index])).toBeCloseTo(1, 5);
  });

  it('should shorten vectors to the requested dimensions and normalize them again', async () => {
    const [full] = vectorsOf(await embed({ input: 'Hello' }));
    const [short] = vectorsOf(await embed({ input: 'Hello', dimensions: 64 }));
    expect(short).toHaveLength(64);
    expect(lengthOf(short ?? [])).toBeCloseTo(1, 5);
    expect((short?.[0] ?? 0) / (short?.[1] ?? 1)).toBeCloseTo((full?.[0] ?? 0) / (full?.[1] ?? 1), 4);
    expect(vectorsOf(await embed({ input: 'Hello', dimensions: 512 }))[0]).toHaveLength(512);
    expect(vectorsOf(await embed({ input: 'Hello', dimensions: 1 }))[0]).toHaveLength(1);
    expect(vectorsOf(await embed({ input: 'Hello', output_dimension: 64 }))[0]).toEqual(short);
  });

  it('should keep no vectors by default', async () => {
    await embed({ input: 'the same text' });
    await embed({ input: 'the same text' });
    expect(service.app.get(VectorCache)).toMatchObject({ hits: 0, misses: 0, bytes: 0 });
  });

  it('should embed 2,048 texts at once', async () => {
    const response = await embed({
      input: Array.from({ length: 2048 }, (_, n) => `Text ${n}`),
      encoding_format: 'base64',
    });
    expect(response.status).toBe(200);
    expect(bodyOf(response).data).toHaveLength(2048);
  });

  it('should embed a text of thousands of tokens', async () => {
    const response = await embed({ input: 'This sentence appears again and again. '.repeat(1000) });
    expect(response.status).toBe(200);
    expect(bodyOf(response).usage.total_tokens).toBeGreaterThan(5000);
  });

  it.each<[string, string | null, object]>([
    ['no input', 'input', { input: undefined }],
    ['null as input', 'input', { input: null }],
    ['an empty text', 'input', { input: '' }],
    ['an empty text among others', 'input', { input: ['a', ''] }],
    ['spaces only', 'input', { input: '  \n ' }],
    ['no texts', 'input', { input: [] }],
    ['2,049 texts', 'input', { input: Array.from({ length: 2049 }, () => 'a') }],
    ['a number as input', 'input', { input: 5 }],
    ['an object as input', 'input', { input: {} }],
    ['token ids', 'input', { input: [1, 2, 3] }],
    ['arrays of token ids', 'input', { input: [[1, 2], [3]] }],
    ['a text of more than 8,192 tokens', 'input', { input: 'word '.repeat(9000) }],
    ['more than 300,000 tokens', 'input', { input: Array.from({ length: 50 }, () => 'word '.repeat(7000)) }],
    ['no model', 'model', { model: undefined, input: 'a' }],
    ['an empty model', 'model', { model: '', input: 'a' }],
    ['a number as model', 'model', { model: 7, input: 'a' }],
    ['an unknown encoding format', 'encoding_format', { input: 'a', encoding_format: 'int8' }],
    ['null as encoding format', 'encoding_format', { input: 'a', encoding_format: null }],
    ['0 dimensions', 'dimensions', { input: 'a', dimensions: 0 }],
    ['513 dimensions', 'dimensions', { input: 'a', dimensions: 513 }],
    ['half a dimension', 'dimensions', { input: 'a', dimensions: 1.5 }],
    ['dimensions as text', 'dimensions', { input: 'a', dimensions: '64' }],
    ['half an output dimension', 'output_dimension', { input: 'a', output_dimension: 1.5 }],
    ['dimensions twice', 'output_dimension', { input: 'a', dimensions: 64, output_dimension: 64 }],
    ['integers as output', 'output_dtype', { input: 'a', output_dtype: 'int8' }],
    ['a text as metadata', 'metadata', { input: 'a', metadata: 'b' }],
    ['a number as user', 'user', { input: 'a', user: 1 }],
    ['an unknown field', 'inputs', { input: 'a', inputs: 'b' }],
  ])('should return 400 naming the parameter for %s', async (_title, param, fields) => {
    const response = await embed(fields);
    expect(response.status).toBe(400);
    expect(response.body).toEqual(
      aiError({ message: expect.any(String) as string, type: 'invalid_request_error', param, code: null }),
    );
  });

  const json = { 'content-type': 'application/json' };
  it.each<[number, string, string, Record<string, string>]>([
    [400, 'is broken', '{"input":', json],
    [400, 'is an array', '[]', json],
    [400, 'is null', 'null', json],
    [400, 'is missing', '', json],
    [413, 'is larger than 10 MB', `{"input":"${'x'.repeat(10 * 1024 * 1024)}"}`, json],
    [415, 'has no content type', 'input=a', { 'content-type': '' }],
    [415, 'is a form', 'input=a', { 'content-type': 'application/x-www-form-urlencoded' }],
    [415, 'is plain text', '{"input":"a"}', { 'content-type': 'text/plain' }],
  ])("should return %i in OpenAI's envelope if the body %s", async (status, _title, rawBody, headers) => {
    const response = await call(service.url, 'POST /v1/embeddings', { token, rawBody, headers });
    expect(response.status).toBe(status);
    expect(response.body).toEqual(
      aiError({ message: expect.any(String) as string, type: 'invalid_request_error', param: null, code: null }),
    );
  });

  it.each([
    ['distinct keys', Array.from({ length: 85_000 }, (_, index) => `"key${index}":0`).join()],
    ['texts', `"input":[${'"text",'.repeat(165_000)}`],
    ['token ids', `"input":[${'[1,2],'.repeat(190_000)}`],
  ])('should reject a large body of %s with 400 before reading all of it', async (_title, fields) => {
    const request = httpRequest(`${service.url}/v1/embeddings`, {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${token}`, 'content-length': 10 * 1024 * 1024 },
    });
    request.on('error', () => undefined);
    request.write(`{"model":"${model}",${fields}`);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(400);
    request.destroy();
  });

  it('should return 404 model_not_found for an unknown model', async () => {
    const response = await embed({ model: 'text-embedding-3-small', input: 'a' });
    expect(response.status).toBe(404);
    expect(response.body).toMatchObject({ error: { code: 'model_not_found', param: 'model' } });
  });

  it('should return 401 without a key, before reading the body', async () => {
    const response = await call(service.url, 'POST /v1/embeddings', { rawBody: 'not JSON', headers: json });
    expect(response.status).toBe(401);
  });

  it('should keep serving after a client disconnects', async () => {
    const controller = new AbortController();
    const large = fetch(`${service.url}/v1/embeddings`, {
      method: 'POST',
      headers: { ...json, 'x-api-key': token },
      body: JSON.stringify({
        model,
        input: Array.from({ length: 2000 }, (_, n) => `An abandoned text ${n}`),
      }),
      signal: controller.signal,
    });
    const small = embed({ input: 'Hello' });
    await small;
    controller.abort();
    await expect(large).rejects.toThrow('aborted');
    expect((await embed({ input: 'Hello again' })).status).toBe(200);
    expect(service.logLines.join('')).not.toContain('"level":50');
  });
});

describe('The example in docs/embeddings.md', () => {
  it('should find the right passage of a long document', async () => {
    const folder = await makeTemporaryFolder();
    const [, example = ''] = /^```js\n([\s\S]*?)^```$/m.exec(readFileSync('docs/embeddings.md', 'utf8')) ?? [];
    const fact = 'The warranty of the coffee machine lasts for 27 months.';
    await writeFile(path.join(folder.path, 'search.mjs'), example);
    await writeFile(path.join(folder.path, 'manual.txt'), `${englishProse}\n${fact}\n${englishProse}`);
    const { exitCode, output } = await runNode(['search.mjs', 'How long is the warranty?', 'manual.txt'], {
      folder: folder.path,
      environment: { KEYCARD_URL: service.url, KEYCARD_API_KEY: token },
    });
    await folder.remove();
    expect([exitCode, output]).toEqual([0, expect.stringContaining('lasts for 27 months')]);
  });
});
