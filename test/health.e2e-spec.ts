import { rm } from 'node:fs/promises';
import path from 'node:path';
import { defaultModels } from '../src/ai-gateway/models/default-models.js';
import type { ModelDefinition } from '../src/ai-gateway/models/model-definition.js';
import { ReadinessService } from '../src/health/readiness.service.js';
import { call } from './setup/call.js';
import { writeTinyModel } from './engines/tiny-model.js';
import { createApiKey } from './factories/api-keys.js';
import { createMember } from './factories/organizations.js';
import { makeTemporaryFolder, type TemporaryFolder } from './setup/temporary-folder.js';
import { startTestApp, type TestApp } from './setup/test-app.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.stop());

describe('GET /health/live', () => {
  it('should answer 200', async () => {
    const answer = await call(service.url, 'GET /health/live');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ status: 'ok' });
  });
});

describe('GET /health/ready', () => {
  it('should answer 200 when database and engines are there', async () => {
    expect((await call(service.url, 'GET /health/ready')).status).toBe(200);
  });

  it.each(['starting', 'stopping'] as const)('should answer 503 while the service is %s', async (phase) => {
    const readiness = service.app.get(ReadinessService);
    readiness.enter(phase);
    const answer = await call(service.url, 'GET /health/ready');
    readiness.enter('running');
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.body).toMatchObject({ code: 'not-ready', detail: expect.stringContaining(phase) as string });
  });
});

describe('GET /health/ready with a model that cannot be loaded', () => {
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await makeTemporaryFolder();
  });
  afterAll(() => folder.remove());

  /** The answer after a request to a model whose weights have gone since the start. */
  async function readinessBeside(others: ModelDefinition[]): Promise<number> {
    await writeTinyModel(folder.path);
    const options = {
      source: folder.path,
      downloadFolder: folder.path,
      pooling: 'mean',
      normalize: true,
      prefix: '',
      dtype: 'fp32',
      maxTokens: 16,
      threads: 1,
    } as const;
    const broken: ModelDefinition = {
      id: 'broken',
      aliases: [],
      task: 'embeddings',
      ownedBy: 'tests',
      createdSeconds: 0,
      servedBy: { engine: 'transformers', options },
    };
    const other = await startTestApp({ config: { models: [broken, ...others] } });
    try {
      await rm(path.join(folder.path, 'onnx'), { recursive: true, force: true });
      await rm(path.join(folder.path, 'model.onnx'), { force: true });
      const { key } = await createApiKey(other, await createMember(other));
      const body = { model: 'broken', input: 'red apple' };
      expect((await call(other.url, 'POST /v1/embeddings', { token: key, body })).status).toBe(503);
      return (await call(other.url, 'GET /health/ready')).status;
    } finally {
      await other.stop();
    }
  }

  it('should answer 200 while other models can be served', async () => {
    expect(await readinessBeside(defaultModels())).toBe(200);
  });

  it('should answer 503 when there is no other model', async () => {
    expect(await readinessBeside([])).toBe(503);
  });
});

describe('The request id', () => {
  it('should be the one that the client sent, when it is harmless', async () => {
    const answer = await call(service.url, 'GET /nothing', { headers: { 'x-request-id': 'trace-42' } });
    expect(answer.headers.get('x-request-id')).toBe('trace-42');
    expect(answer.body).toMatchObject({ requestId: 'trace-42' });
  });

  it.each(['a b', '"', 'x'.repeat(129), ''])('should be a new one in place of %j', async (id) => {
    const answer = await call(service.url, 'GET /health/live', { headers: { 'x-request-id': id } });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});
