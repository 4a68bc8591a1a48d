import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/database/embedded-postgres/start-embedded-postgres.js';
import { Pipeline } from '../../src/ai-gateway/pipeline.js';
import type { GatewayRoute } from '../../src/ai-gateway/route-group.js';
import { migrate } from '../../src/database/migrate.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { blockUsage, isRecorderBlocked, readRecordedUsage } from '../setup/recorded-usage.js';
import { waitFor } from '../setup/wait-for.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import type { TestAppOptions } from '../setup/test-app.js';
import { useAppStarter, useTestApp } from '../setup/use-test-app.js';

const model = 'universal-sentence-encoder-lite';
type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** Creates a route `POST /v1/test` that requires an API key and runs the handler set by `respondWith`. */
function createTestRoute() {
  let serve: Handler = () => undefined;
  const addRoutes: TestAppOptions['addRoutes'] = (fastify, app, logger) => {
    const handler: Handler = (request, reply) => serve(request, reply);
    const route: GatewayRoute = { method: 'POST', url: '/v1/test', contentTypes: ['application/json'], handler };
    app.get(Pipeline).register(fastify, logger, [route]);
  };
  const respondWith = (handler: Handler) => {
    serve = (request, reply) => {
      request.usage = { model: 'test-model', inputTokens: 0, pages: 0 };
      return handler(request, reply);
    };
  };
  return { addRoutes, respondWith };
}

const { addRoutes, respondWith } = createTestRoute();
const service = useTestApp({ addRoutes });
const startApp = useAppStarter();
let key: CreatedKey;

beforeEach(async () => {
  key = await createApiKey(service, await createMember(service));
});

const recorded = async () => (await readRecordedUsage(service, [key.id])).get(key.id);
const embed = (fields: object) =>
  call(service.url, 'POST /v1/embeddings', { token: key.key, body: { model, input: 'Hello', ...fields } });
const callTest = () => call(service.url, 'POST /v1/test', { token: key.key });
const fetchTest = (signal?: AbortSignal) =>
  fetch(`${service.url}/v1/test`, {
    method: 'POST',
    headers: { 'x-api-key': key.key, 'content-type': 'application/json' },
    body: '{}',
    signal,
  });

describe('A metered request', () => {
  it('should be counted with its tokens', async () => {
    const response = await embed({});
    const { usage } = response.body as { usage: { total_tokens: number } };
    expect(await recorded()).toEqual({ requests: 1, failures: 0, inputTokens: usage.total_tokens, pages: 0 });
    const [row] = await service.query('select model from usage where api_key_id = $1', [key.id]);
    expect(row).toEqual({ model });
  });

  it('should be counted as a failure if it is rejected after its model was found', async () => {
    expect((await embed({ dimensions: 513 })).status).toBe(400);
    expect(await recorded()).toEqual({ requests: 1, failures: 1, inputTokens: 0, pages: 0 });
  });

  it('should not be counted if it names an unknown model', async () => {
    const { token } = await createMember(service);
    expect((await embed({ model: 'unknown' })).status).toBe(404);
    expect((await embed({ model: 5 })).status).toBe(400);
    expect((await call(service.url, 'POST /v1/embeddings', { token, body: {} })).status).toBe(401);
    expect((await call(service.url, 'GET /v1/models', { token: key.key })).status).toBe(200);
    expect(await recorded()).toMatchObject({ requests: 0 });
  });

  it('should be counted before the response ends, regardless of status', async () => {
    for (const status of [200, 404, 500]) {
      respondWith((_request, reply) => reply.code(status).send('done'));
      expect((await callTest()).text).toBe('done');
    }
    expect(await recorded()).toMatchObject({ requests: 3, failures: 2 });
  });

  it('should be counted once if its handler fails', async () => {
    respondWith(() => {
      throw new Error('broken');
    });
    expect((await callTest()).status).toBe(500);
    expect(await recorded()).toMatchObject({ requests: 1, failures: 1 });
  });
});

describe('A streamed response', () => {
  it.each([
    ['several chunks', ['one ', 'two ', 'three']],
    ['one chunk', ['alone']],
    ['without content', []],
  ])('should arrive unchanged and be counted: %s', async (_title, chunks) => {
    respondWith((request, reply) => {
      const { usage } = request;
      const body = async function* () {
        for (const chunk of chunks) yield await Promise.resolve(chunk);
        if (usage) Object.assign(usage, { inputTokens: 5, pages: 2 });
      };
      return reply.send(Readable.from(body(), { objectMode: false }));
    });
    expect((await callTest()).text).toBe(chunks.join(''));
    expect(await recorded()).toEqual({ requests: 1, failures: 0, inputTokens: 5, pages: 2 });
  });

  it('should not end before it is counted', async () => {
    const unblock = await blockUsage(service);
    respondWith((_request, reply) => reply.send(Readable.from(['first ', 'last'], { objectMode: false })));
    const response = await fetchTest();
    const reader = (response.body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toBe('first ');
    const rest: string[] = [];
    const end = (async () => {
      for (let next = await reader.read(); !next.done; next = await reader.read()) rest.push(next.value);
    })();
    await waitFor(() => isRecorderBlocked(service));
    expect(rest).toEqual([]);
    await unblock();
    await end;
    expect(rest).toEqual(['last']);
    expect(await recorded()).toMatchObject({ requests: 1, failures: 0 });
  });

  it('should be cut off and counted as a failure if it fails midway', async () => {
    respondWith((_request, reply) => {
      const body = async function* () {
        yield 'first ';
        yield await Promise.resolve('second ');
        throw new Error('broken');
      };
      return reply.send(Readable.from(body(), { objectMode: false }));
    });
    const response = await fetchTest();
    await expect(response.text()).rejects.toThrow('terminated');
    await waitFor(async () => (await recorded())?.requests === 1);
    expect(await recorded()).toMatchObject({ requests: 1, failures: 1 });
  });

  it('should become an error and be counted as a failure if it fails before the first byte', async () => {
    const body = new PassThrough();
    respondWith((_request, reply) => {
      void reply.send(body);
      body.destroy(new Error('broken'));
      return reply;
    });
    expect((await callTest()).status).toBe(500);
    expect(await recorded()).toMatchObject({ requests: 1, failures: 1 });
  });

  it('should stop and be counted as one failure if the client disconnects midway', async () => {
    const body = new PassThrough();
    respondWith((_request, reply) => reply.send(body));
    const controller = new AbortController();
    body.write('first ');
    body.write('second ');
    const response = await fetchTest(controller.signal);
    const closed = once(body, 'close').catch(() => undefined);
    controller.abort();
    await expect(response.text()).rejects.toThrow('aborted');
    await closed;
    await waitFor(async () => (await recorded())?.requests === 1);
    expect(await recorded()).toMatchObject({ requests: 1, failures: 1 });
  });

  it('should not be logged as an error if the client disconnects before the first byte', async () => {
    const lineCount = service.logLines.length;
    const body = new PassThrough();
    const controller = new AbortController();
    respondWith((_request, reply) => {
      void reply.send(body);
      controller.abort();
      return reply;
    });
    await expect(fetchTest(controller.signal)).rejects.toThrow('aborted');
    await waitFor(async () => (await recorded())?.requests === 1);
    expect(await recorded()).toMatchObject({ requests: 1, failures: 1 });
    expect(body.destroyed).toBe(true);
    expect(service.logLines.slice(lineCount).filter((line) => line.includes('"level":50'))).toEqual([]);
  });
});

describe('A request whose client disconnects', () => {
  it('should be counted as one failure with the usage so far, while its handler continues', async () => {
    const controller = new AbortController();
    let finish: (value: string) => void = () => undefined;
    respondWith(async (request, reply) => {
      if (request.usage) request.usage.inputTokens = 4;
      const closed = once(reply.raw, 'close');
      controller.abort();
      await closed;
      return new Promise((resolve) => (finish = resolve));
    });
    await expect(fetchTest(controller.signal)).rejects.toThrow('aborted');
    await waitFor(async () => (await recorded())?.requests === 1);
    finish('too late');
    await callTestAgain();
    expect(await recorded()).toMatchObject({ requests: 2, failures: 1, inputTokens: 4 });
    const readFailures = () =>
      service.query('select status, code from failed_requests where api_key_id = $1', [key.id]);
    await waitFor(async () => (await readFailures()).length > 0);
    expect(await readFailures()).toEqual([{ status: 499, code: 'response-incomplete' }]);
  });

  const callTestAgain = async () => {
    respondWith((_request, reply) => reply.send('done'));
    await callTest();
  };

  it('should still be counted if the service stops concurrently', async () => {
    const route = createTestRoute();
    const other = await startApp({ database: service.database, addRoutes: route.addRoutes });
    const controller = new AbortController();
    let unblock = () => Promise.resolve();
    route.respondWith(async (_request, reply) => {
      unblock = await blockUsage(service);
      const closed = once(reply.raw, 'close');
      controller.abort();
      await closed;
      void reply.hijack();
    });
    const headers = { 'x-api-key': key.key };
    const request = fetch(`${other.url}/v1/test`, { method: 'POST', headers, signal: controller.signal });
    await expect(request).rejects.toThrow('aborted');
    await waitFor(() => isRecorderBlocked(service));
    const stopped = other.stop();
    await unblock();
    await stopped;
    expect(await recorded()).toMatchObject({ requests: 1, failures: 1 });
  });
});

describe('While the database is down, the gateway', () => {
  let folder: TemporaryFolder;
  let postgres: EmbeddedPostgres;
  const route = createTestRoute();
  const own = useTestApp(async () => {
    folder = await makeTemporaryFolder();
    postgres = await startEmbeddedPostgres(folder.path);
    await migrate(postgres.connection);
    return { database: postgres.connection, addRoutes: route.addRoutes };
  });
  afterAll(async () => {
    await postgres.stop();
    await folder.remove();
  });

  it('should return 503, break streams, and count each request once after recovery', async () => {
    const { id, key: token } = await createApiKey(own, await createMember(own));
    const callOwn = () => call(own.url, 'POST /v1/test', { token });
    route.respondWith((_request, reply) => reply.send('done'));
    expect((await callOwn()).status).toBe(200);

    route.respondWith(async (_request, reply) => {
      await postgres.stop();
      return reply.send('done');
    });
    const refused = await callOwn();
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.body).toMatchObject({ error: { type: 'server_error', code: 'database_unavailable' } });

    postgres = await startEmbeddedPostgres(folder.path);
    route.respondWith((_request, reply) => {
      const body = async function* () {
        yield 'first ';
        await postgres.stop();
        yield 'last';
      };
      return reply.send(Readable.from(body(), { objectMode: false }));
    });
    await waitFor(async () => (await call(own.url, 'GET /health/ready')).status === 200);
    await expect(callOwn()).rejects.toThrow('terminated');

    postgres = await startEmbeddedPostgres(folder.path);
    route.respondWith((_request, reply) => reply.send('done'));
    await waitFor(async () => (await callOwn()).status === 200);
    const sums = await readRecordedUsage(own, [id]);
    expect(sums.get(id)).toMatchObject({ requests: 4, failures: 2 });
  });
});
