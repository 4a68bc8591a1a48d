import path from 'node:path';
import { writeFile } from 'node:fs/promises';
import type { EmbeddingsResponseDto } from '../../src/ai-gateway/tasks/embeddings/embeddings-response.js';
import { readModelsFile } from '../../src/ai-gateway/models/models-file/read-models-file.js';
import { writeStaticModel } from '../engines/static-model-files.js';
import { meanOf, tinyModelMaxTokens, tinyModelTokens, writeTinyModel } from '../engines/tiny-model.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { type CallResponse, call } from '../setup/call.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import { useTestApp } from '../setup/use-test-app.js';

const file = `
models:
  - id: acme/tiny-model
    engine: transformers
    aliases: [tiny]
    ownedBy: acme
    created: 2024-01-25
    languages: [en, de]
    options: { source: ./tiny, prefix: 'query ', threads: 1 }
  - id: plain
    engine: transformers
    options: { source: ./tiny, normalize: false, pooling: cls, threads: 1 }
  - id: static
    engine: static
    languages: [en]
    options: { source: ./static }
  - id: broken
    engine: transformers
    options: { source: ./broken, threads: 1 }
  - id: remote/scans
    task: ocr
    targets: [{ baseUrl: http://127.0.0.1:9 }]
`;

let folder: TemporaryFolder;
let token: string;

const service = useTestApp(async () => {
  folder = await makeTemporaryFolder();
  await writeTinyModel(path.join(folder.path, 'tiny'));
  await writeStaticModel(path.join(folder.path, 'static'));
  await writeTinyModel(path.join(folder.path, 'broken'));
  await writeFile(path.join(folder.path, 'broken', 'onnx', 'model.onnx'), 'not a model');
  await writeFile(path.join(folder.path, 'models.yaml'), file);
  const { models } = readModelsFile(path.join(folder.path, 'models.yaml'), {
    readSecret: () => undefined,
    downloadFolder: folder.path,
    ocrLanguages: ['eng'],
  });
  return { config: { models } };
});
beforeAll(async () => {
  token = (await createApiKey(service, await createMember(service))).key;
});
afterAll(() => folder.remove());

const get = (route: string) => call(service.url, `GET /v1/models${route}`, { token });
const embed = (model: string, input: unknown, more: object = {}) =>
  call(service.url, 'POST /v1/embeddings', { token, body: { model, input, ...more } });
const errorOf = ({ body }: CallResponse) => (body as { error: { message: string; param: string; code: string } }).error;

function expectNear(actual: unknown, expected: number[]): void {
  expect(actual).toHaveLength(expected.length);
  expected.forEach((value, place) => expect((actual as number[])[place]).toBeCloseTo(value, 5));
}

/** In Mistral's format, of a model for embeddings. */
const capabilities = {
  completion_chat: false,
  completion_fim: false,
  function_calling: false,
  fine_tuning: false,
  vision: false,
  ocr: false,
  classification: false,
};

describe('GET /v1/models', () => {
  it('should list ids and aliases in file order, with owner, capabilities, task and languages', async () => {
    const common = { object: 'model', task: 'embeddings', type: 'base', capabilities };
    const model = { ...common, created: 1_706_140_800, owned_by: 'acme', languages: ['en', 'de'] };
    const undated = { ...common, created: 0, owned_by: 'keycard', languages: null };
    expect((await get('')).body).toEqual({
      object: 'list',
      data: [
        { id: 'acme/tiny-model', ...model },
        { id: 'tiny', ...model },
        { id: 'plain', ...undated },
        { id: 'static', ...undated, languages: ['en'] },
        { id: 'broken', ...undated },
        { id: 'remote/scans', ...undated, task: 'ocr', capabilities: { ...capabilities, ocr: true } },
      ],
    });
  });
});

describe('GET /v1/models/{model}', () => {
  it.each(['/acme/tiny-model', '/acme%2Ftiny-model', '/acme%2ftiny-model?x=/y', '/%61cme/tiny%2Dmodel'])(
    'should find an id with a slash, sent as %s',
    async (route) => {
      const response = await get(route);
      expect(response.status).toBe(200);
      expect(response.body).toEqual({
        id: 'acme/tiny-model',
        object: 'model',
        created: 1_706_140_800,
        owned_by: 'acme',
        type: 'base',
        capabilities,
        task: 'embeddings',
        languages: ['en', 'de'],
      });
    },
  );

  it('should find an alias and return it as id', async () => {
    expect((await get('/tiny')).body).toMatchObject({ id: 'tiny', owned_by: 'acme' });
  });

  it.each(['/acme', '/acme/', '/acme/tiny-model/', '/tiny-model', '/acme//tiny-model', '/acme%252Ftiny-model'])(
    'should return 404 for %s',
    async (route) => {
      const response = await get(route);
      expect(response.status).toBe(404);
      expect(errorOf(response)).toMatchObject({ code: 'model_not_found', param: 'model' });
    },
  );

  it('should suggest a name that differs only in case', async () => {
    expect(errorOf(await get('/ACME/Tiny-Model')).message).toBe(
      "The model 'ACME/Tiny-Model' does not exist. Did you mean 'acme/tiny-model'?",
    );
  });

  it('should return 401 without a key for any model', async () => {
    expect((await call(service.url, 'GET /v1/models/acme/tiny-model')).status).toBe(401);
  });
});

describe('POST /v1/embeddings for a model from the models file', () => {
  it('should prefix texts, normalize vectors and count tokens', async () => {
    const { status, body } = await embed('tiny', ['red apple', 'sky']);
    expect(status).toBe(200);
    const { data, model, usage } = body as EmbeddingsResponseDto;
    expect({ model, usage }).toEqual({ model: 'tiny', usage: { prompt_tokens: 9, total_tokens: 9 } });
    for (const [index, text] of ['query red apple', 'query sky'].entries()) {
      const mean = meanOf(tinyModelTokens(text));
      expectNear(
        data[index]?.embedding,
        mean.map((value) => value / Math.hypot(...mean)),
      );
    }
  });

  it('should not normalize with normalize: false', async () => {
    const { body } = await embed('plain', 'blue sky');
    expectNear((body as EmbeddingsResponseDto).data[0]?.embedding, tinyModelTokens('blue sky')[0] ?? []);
  });

  it('should embed with a static model, and warn of texts that it does not know', async () => {
    const known = await embed('static', ['red green', 'blue']);
    expect(known.body).toEqual({
      id: expect.any(String) as string,
      object: 'list',
      data: [
        { object: 'embedding', index: 0, embedding: [2, -1] },
        { object: 'embedding', index: 1, embedding: [0, 8] },
      ],
      model: 'static',
      usage: { prompt_tokens: 3, total_tokens: 3 },
    });
    expect(known.headers.get('x-keycard-warning')).toBeNull();
    const unknown = await embed('static', ['red', '🎉']);
    expect((unknown.body as EmbeddingsResponseDto).data[1]?.embedding).toEqual([0, 0]);
    expect(unknown.headers.get('x-keycard-warning')).toBe('language');
  });

  it('should return 400 naming the limit for a long text and for too many dimensions', async () => {
    const long = await embed('tiny', ['red', 'sky '.repeat(14)]);
    expect(long.status).toBe(400);
    expect(errorOf(long)).toMatchObject({
      param: 'input',
      message: `input.1 must have at most ${tinyModelMaxTokens} tokens.`,
    });
    const wide = await embed('tiny', 'red', { dimensions: 5 });
    expect(wide.status).toBe(400);
    expect(errorOf(wide)).toMatchObject({ param: 'dimensions' });
  });

  it('should return 400 for a model with another task, suggesting others', async () => {
    const response = await embed('remote/scans', 'red');
    expect(response.status).toBe(400);
    expect(errorOf(response).message).toBe(
      "The model 'remote/scans' is for POST /v1/ocr, not for POST /v1/embeddings. Use one of: acme/tiny-model, tiny, plain, static, broken.",
    );
  });

  it('should return 503 while the model cannot be loaded, with the reason in the log only', async () => {
    const response = await embed('broken', 'red');
    expect(response.status).toBe(503);
    expect(errorOf(response)).toMatchObject({ code: 'engine_unavailable' });
    const place = path.join(folder.path, 'broken');
    expect(response.text).not.toContain(folder.path);
    expect(service.logLines.join('\n')).toContain(`The model in ${place} could not be loaded`);
  });
});
