import { rm } from 'node:fs/promises';
import path from 'node:path';
import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import type { ModelDefinition } from '../../src/config/model-definition.js';
import { ReadinessService } from '../../src/health/readiness.service.js';
import { call } from '../setup/call.js';
import { writeTinyModel } from '../engines/tiny-model.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import {
  respondWithEmbeddings,
  respondWithJson,
  startUpstream,
  type Upstream,
  upstreamModel,
} from '../setup/upstream.js';
import type { TestApp } from '../setup/test-app.js';
import { useAppStarter, useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const service = useTestApp();
const startApp = useAppStarter();

describe('GET /health/live', () => {
  it('should return 200', async () => {
    const response = await call(service.url, 'GET /health/live');
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ status: 'ok' });
  });
});

describe('GET /health/ready', () => {
  it('should return 200 while database and engines are available', async () => {
    expect((await call(service.url, 'GET /health/ready')).status).toBe(200);
  });

  it.each(['starting', 'stopping'] as const)('should return 503 while the service is %s', async (phase) => {
    const readiness = service.app.get(ReadinessService);
    readiness.enter(phase);
    const response = await call(service.url, 'GET /health/ready');
    readiness.enter('running');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(response.body).toMatchObject({ code: 'not-ready', detail: expect.stringContaining(phase) as string });
  });
});

describe('GET /health/ready with a model that cannot be loaded', () => {
  let folder: TemporaryFolder;
  let upstream: Upstream;
  beforeAll(async () => {
    folder = await makeTemporaryFolder();
    upstream = await startUpstream();
  });
  afterAll(async () => {
    await upstream.stop();
    await folder.remove();
  });

  const removeWeights = async () => {
    await rm(path.join(folder.path, 'onnx'), { recursive: true, force: true });
    await rm(path.join(folder.path, 'model.onnx'), { force: true });
  };
  const readinessOf = async ({ url }: TestApp) => (await call(url, 'GET /health/ready')).status;
  const embed = (other: TestApp, token: string, model: string) =>
    call(other.url, 'POST /v1/embeddings', { token, body: { model, input: 'red apple' } });

  /** Runs an app whose model `broken` has failed: its weights are removed after the start. */
  async function withBrokenModel(
    others: ModelDefinition[],
    use: (other: TestApp, key: string) => Promise<void>,
  ): Promise<void> {
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
      servedBy: { engine: 'transformers', ...options },
    };
    const other = await startApp({ config: { models: [broken, ...others] } });
    await removeWeights();
    const { key } = await createApiKey(other, await createMember(other));
    expect((await embed(other, key, 'broken')).status).toBe(503);
    await use(other, key);
  }

  it('should return 200 while other embedded models can be served', async () => {
    await withBrokenModel(defaultModels(), async (other) => expect(await readinessOf(other)).toBe(200));
  });

  it('should return 503 if it is the only model, and 200 once it can be loaded, without traffic', async () => {
    await withBrokenModel([], async (other) => {
      expect(await readinessOf(other)).toBe(503);
      await writeTinyModel(folder.path);
      await waitFor(async () => (await readinessOf(other)) === 200);
      expect(other.logLines.join('')).toContain('works again');
    });
  });

  it('should return 200 while an upstream is healthy, and 503 while its circuit is open', async () => {
    await withBrokenModel([upstreamModel([upstream])], async (other, key) => {
      expect(await readinessOf(other)).toBe(200);
      upstream.respond = (response) => respondWithJson(response, 500, '{}');
      for (let failure = 0; failure < 5; failure += 1) expect((await embed(other, key, 'small')).status).toBe(502);
      expect(await readinessOf(other)).toBe(503);
      // The circuit allows a probe after a while.
      await waitFor(async () => (await readinessOf(other)) === 200);
      upstream.respond = respondWithEmbeddings();
      expect((await embed(other, key, 'small')).status).toBe(200);
    });
  });
});

describe('The request id', () => {
  it('should be taken from x-request-id if that is valid', async () => {
    const response = await call(service.url, 'GET /nothing', { headers: { 'x-request-id': 'trace-42' } });
    expect(response.headers.get('x-request-id')).toBe('trace-42');
    expect(response.body).toMatchObject({ requestId: 'trace-42' });
  });

  it.each(['a b', '"', 'x'.repeat(129), ''])('should be generated instead of the invalid %j', async (id) => {
    const response = await call(service.url, 'GET /health/live', { headers: { 'x-request-id': id } });
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});
