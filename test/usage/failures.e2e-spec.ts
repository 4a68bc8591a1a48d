import pg from 'pg';
import { hashApiKey } from '../../src/api-keys/api-key.token.js';
import { FailureRecorderService } from '../../src/usage/failures/failure-recorder.service.js';
import type { FailureReportDto } from '../../src/usage/failures/failure.dto.js';
import { generateApiKey } from '../../src/api-keys/api-key.token.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { setLimits } from '../factories/limits.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { dumpDatabase } from '../setup/dump-database.js';
import { countLockWaits } from '../setup/lock-waits.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

interface FailedRequest {
  status: number;
  code: string;
  clientCode: string | null;
  model: string | null;
  requestedModel: string | null;
  invalidFields: string[];
  requestId: string;
}

const service = useTestApp();
const embedded = 'universal-sentence-encoder-lite';
let member: Member;
let key: CreatedKey;

beforeEach(async () => {
  member = await createMember(service);
  key = await createApiKey(service, member);
});

/** Sends a request with the key and returns its id, which identifies it among the failures. */
async function embed(model: string, token = key.key, input: unknown = 'a'): Promise<string> {
  const { headers } = await call(service.url, 'POST /v1/embeddings', { token, body: { model, input } });
  return headers.get('x-request-id') ?? '';
}

async function listFailures(id = key.id, token = member.token): Promise<FailedRequest[]> {
  const { body } = await call(service.url, `GET /api-keys/${id}/failures`, { token });
  return (body as { failures: FailedRequest[] }).failures;
}

/** Waits until a failure is recorded, and returns it. */
async function findFailure(requestId: string): Promise<FailedRequest | undefined> {
  const find = async () => (await listFailures()).find((failure) => failure.requestId === requestId);
  await waitFor(async () => (await find()) !== undefined);
  return find();
}

async function countFailures(query = '', token = member.token) {
  const { body } = await call(service.url, `GET /usage/failures?${query}`, { token });
  return (body as FailureReportDto).failures;
}

describe('GET /api-keys/{id}/failures', () => {
  it('should list a failed request with its cause, and without its body or key', async () => {
    const requestId = await embed(embedded, key.key, ['secret text', '']);
    expect(await findFailure(requestId)).toEqual({
      occurredAt: expect.stringMatching(/Z$/) as string,
      route: 'POST /v1/embeddings',
      model: embedded,
      requestedModel: embedded,
      status: 400,
      code: 'validation-failed',
      clientCode: null,
      title: 'Invalid request',
      remedy: 'Fix the fields named in the response.',
      invalidFields: ['input'],
      exceededLimit: null,
      requestId,
      address: '127.0.0.1',
    });
    const database = await dumpDatabase(service);
    for (const secret of ['secret text', key.key.slice(8)]) expect(database).not.toContain(secret);
  });

  it.each([
    ['404', 'model-not-found', async () => {}],
    ['403', 'api-key-disabled', () => service.query('update api_keys set enabled = false where id = $1', [key.id])],
    [
      '403',
      'address-not-allowed',
      () => service.query(`update api_keys set addresses = '{203.0.113.7}' where id = $1`, [key.id]),
    ],
    ['403', 'model-not-allowed', () => service.query(`update api_keys set models = '{}' where id = $1`, [key.id])],
    [
      '401',
      'api-key-expired',
      () => service.query(`update api_keys set expires_at = now() - interval '1 minute' where id = $1`, [key.id]),
    ],
    [
      '401',
      'api-key-expired',
      () =>
        service.query(
          `update api_keys set secret_hash = $2, previous_secret_hash = secret_hash,
             previous_secret_expires_at = now() - interval '1 minute' where id = $1`,
          [key.id, hashApiKey(generateApiKey())],
        ),
    ],
  ])('should list requests rejected with %s %s', async (status, code, restrict) => {
    await restrict();
    const requestId = await embed(code === 'model-not-allowed' ? embedded : 'unknown');
    expect(await findFailure(requestId)).toMatchObject({ status: Number(status), code, model: null });
  });

  it('should advise to rotate a leaked key before it is enabled', async () => {
    await service.query('update api_keys set enabled = false where id = $1', [key.id]);
    const requestId = await embed(embedded);
    const generic = 'Enable the key, or use another one. If it leaked, rotate it first.';
    expect(await findFailure(requestId)).toMatchObject({ code: 'api-key-disabled', remedy: generic });
    await call(service.url, `POST /api-keys/${key.id}/report-leak`, { token: member.token });
    const remedy = 'The key leaked. Rotate it before you enable it, or use another one.';
    expect(await findFailure(requestId)).toMatchObject({ code: 'api-key-disabled', remedy });
    const body = { gracePeriodSeconds: 0 };
    await call(service.url, `POST /api-keys/${key.id}/rotate`, { token: member.token, body });
    expect(await findFailure(requestId)).toMatchObject({ code: 'api-key-disabled', remedy: generic });
  });

  it.each([
    ['as sent', 'universal-sentense-encoder', 'universal-sentense-encoder'],
    ['with hidden characters replaced', ' ada\0\u200b\ud800\n', ' ada\ufffd\ufffd\ufffd\ufffd'],
    ['with at most 200 characters', '😀'.repeat(1000), `${'😀'.repeat(199)}…`],
  ])('should have an unknown model %s, which counts do not', async (_title, requested, requestedModel) => {
    expect(await findFailure(await embed(requested))).toMatchObject({ model: null, requestedModel });
    const counted = await service.query('select model from failure_counts where api_key_id = $1', [key.id]);
    expect(counted).toEqual([{ model: '' }]);
  });

  it.each([
    ['GET /v1/models/unknown', undefined],
    ['GET /v1/authorize?service=unknown', undefined],
    ['POST /v1/ocr', { model: 'unknown', document: { type: 'document_url', document_url: 'data:,a' } }],
  ])('should have the unknown model or service of %s', async (route, body) => {
    const { status, headers } = await call(service.url, route, { token: key.key, ...(body && { body }) });
    expect(status).toBe(404);
    expect(await findFailure(headers.get('x-request-id') ?? '')).toMatchObject({ requestedModel: 'unknown' });
  });

  it('should have a model that the key may not use, but none if the key was rejected', async () => {
    await service.query(`update api_keys set models = '{}' where id = $1`, [key.id]);
    expect(await findFailure(await embed(embedded))).toMatchObject({ model: null, requestedModel: embedded });
    await service.query('update api_keys set enabled = false where id = $1', [key.id]);
    expect(await findFailure(await embed(embedded))).toMatchObject({ requestedModel: null });
  });

  it('should not have a key that was sent as the name of a field', async () => {
    const body = { model: embedded, input: 'a', [key.key]: 'value' };
    const { status, headers } = await call(service.url, 'POST /v1/embeddings', { token: key.key, body });
    expect(status).toBe(400);
    const failure = await findFailure(headers.get('x-request-id') ?? '');
    expect(failure?.invalidFields).toEqual([`${key.key.slice(0, 8)}…`]);
    expect(await dumpDatabase(service)).not.toContain(key.key.slice(8));
  });

  it('should not have a key that was sent as the model', async () => {
    const failure = await findFailure(await embed(`Bearer ${key.key}`));
    expect(failure?.requestedModel).toBe(`Bearer ${key.key.slice(0, 8)}…`);
    expect(await dumpDatabase(service)).not.toContain(key.key.slice(8));
  });

  it.each<[code: string, prepare: () => Promise<unknown>]>([
    ['model-not-found', () => Promise.resolve()],
    ['limit-exceeded', () => setLimits(service, { keyId: key.id }, [{ metric: 'requests', per: 'minute', max: 1 }])],
    ['budget-exceeded', () => setLimits(service, { keyId: key.id }, [{ metric: 'requests', per: 'day', max: 1 }])],
    ['larger-than-limit', () => setLimits(service, { keyId: key.id }, [{ metric: 'tokens', per: 'minute', max: 1 }])],
    ['larger-than-budget', () => setLimits(service, { keyId: key.id }, [{ metric: 'tokens', per: 'day', max: 1 }])],
    [
      'api-key-expired',
      () => service.query(`update api_keys set expires_at = now() - interval '1 minute' where id = $1`, [key.id]),
    ],
  ])('should have the error code that the client received for %s', async (code, prepare) => {
    await prepare();
    if (code.endsWith('exceeded')) await embed(embedded);
    const body = { model: code === 'model-not-found' ? 'unknown' : embedded, input: 'a b c' };
    const response = await call(service.url, 'POST /v1/embeddings', { token: key.key, body });
    const { error } = response.body as { error: { code: string } };
    const failure = await findFailure(response.headers.get('x-request-id') ?? '');
    expect(failure).toMatchObject({ code, clientCode: error.code });
    expect(error.code).toEqual(expect.any(String));
  });

  it('should list requests rejected by a limit', async () => {
    await setLimits(service, { keyId: key.id }, [{ metric: 'requests', per: 'day', max: 1 }]);
    await embed(embedded);
    expect(await findFailure(await embed(embedded))).toMatchObject({ status: 429, code: 'budget-exceeded' });
  });

  it('should name the limit that rejected a request, of the key or of its organization', async () => {
    const ofKey = { metric: 'requests', per: 'minute', max: 1 } as const;
    const ofOrganization = { metric: 'tokens', per: 'month', max: 2 } as const;
    await setLimits(service, { keyId: key.id }, [ofKey]);
    await setLimits(service, { organizationId: member.organizationId }, [ofOrganization]);
    const tooLong = await embed(embedded, key.key, 'one two three four five');
    expect(await findFailure(tooLong)).toMatchObject({
      code: 'larger-than-budget',
      exceededLimit: { owner: 'organization', ...ofOrganization, needed: 5 },
    });
    await embed(embedded);
    expect(await findFailure(await embed(embedded))).toMatchObject({
      exceededLimit: { owner: 'api-key', ...ofKey, needed: 1 },
    });
  });

  it('should show a limit on costs as decimals, and its models', async () => {
    const limit = { owner: 'api-key', metric: 'cost', per: 'month', models: ['gpt-mini'] } as const;
    service.app.get(FailureRecorderService).record({
      ...{ key: { apiKeyId: key.id }, occurredAt: new Date(), route: 'POST /v1/chat/completions', model: 'gpt-mini' },
      ...{ requestedModel: 'gpt-mini', status: 429, code: 'budget-exceeded', invalidFields: [], address: null },
      exceededLimit: { ...limit, models: [...limit.models], max: '25', needed: '0.050000001' },
      requestId: 'request-cost',
    });
    expect(await findFailure('request-cost')).toMatchObject({
      exceededLimit: { ...limit, max: '25', needed: '0.050000001' },
    });
  });

  it('should list neither successful requests nor those with an unknown key', async () => {
    await embed(embedded);
    await embed(embedded, generateApiKey());
    await findFailure(await embed('unknown'));
    expect(await listFailures()).toHaveLength(1);
  });

  it('should keep the latest 100 of a key, and only as long as the key', async () => {
    const recorder = service.app.get(FailureRecorderService);
    for (let index = 0; index < 130; index++) {
      const occurredAt = new Date(Date.now() - 1000 + index);
      recorder.record({
        key: { apiKeyId: key.id },
        occurredAt,
        route: 'POST /v1/ocr',
        model: `model-${index % 13}`,
        requestedModel: null,
        status: 500,
        code: 'internal-error',
        invalidFields: [],
        exceededLimit: null,
        requestId: `request-${index}`,
        address: null,
      });
    }
    await findFailure('request-129');
    const ids = (await listFailures()).map(({ requestId }) => requestId);
    expect(ids).toHaveLength(100);
    expect(ids[0]).toBe('request-129');
    expect(ids).not.toContain('request-0');
    await call(service.url, `DELETE /api-keys/${key.id}`, { token: member.token });
    expect(await service.query('select from failed_requests where api_key_id = $1', [key.id])).toEqual([]);
  });

  it('should find failed requests by exactly their ID, and only those of the key', async () => {
    const requestId = await embed('unknown');
    const other = await createApiKey(service, member);
    await findFailure(requestId);
    await findFailure(await embed('unknown'));
    const search = async (id: string, text: string) =>
      (await call(service.url, `GET /api-keys/${id}/failures?requestId=${text}`, { token: member.token })).body;
    expect(await search(key.id, requestId)).toMatchObject({ failures: [{ requestId }] });
    expect(await search(key.id, requestId.slice(0, -1))).toEqual({ failures: [] });
    expect(await search(other.id, requestId)).toEqual({ failures: [] });
    for (const invalid of ['', 'x'.repeat(129), 'a%00']) {
      expect(await search(key.id, invalid)).toMatchObject({ status: 400, errors: [{ field: 'requestId' }] });
    }
  });

  it('should return 401 without a token, 403 without get-usage and 404 for a key of another organization', async () => {
    const path = `GET /api-keys/${key.id}/failures?requestId=a` as const;
    expect((await call(service.url, path)).status).toBe(401);
    const { token } = await createMember(service, { permissions: ['get-api-keys'] });
    expect((await call(service.url, path, { token })).status).toBe(403);
    expect((await call(service.url, path, { token: (await createMember(service)).token })).status).toBe(404);
  });
});

describe('GET /usage/failures', () => {
  it('should count failures by status and code, by key and model, in the own organization only', async () => {
    const other = await createApiKey(service, member, 'Another key');
    const stranger = await createMember(service);
    await embed('unknown', other.key);
    await embed('unknown');
    await embed('unknown');
    await findFailure(await embed(embedded, key.key, ''));
    const failing = { id: key.id, name: 'A key', hint: key.key.slice(0, 8), isDeleted: false };
    const another = { id: other.id, name: 'Another key', hint: other.key.slice(0, 8), isDeleted: false, requests: 1 };
    const notFound = {
      status: 404,
      code: 'model-not-found',
      clientCode: 'model_not_found',
      title: 'Model not found',
      remedy: 'Choose a model listed by `GET /v1/models`.',
      apiKeys: [{ ...failing, requests: 2 }],
      apiKeyCount: 1,
    };
    const invalid = {
      status: 400,
      code: 'validation-failed',
      clientCode: null,
      title: 'Invalid request',
      remedy: 'Fix the fields named in the response.',
      requests: 1,
      apiKeys: [{ ...failing, requests: 1 }],
      apiKeyCount: 1,
    };
    const ofBoth = { ...notFound, requests: 3, apiKeys: [...notFound.apiKeys, another], apiKeyCount: 2 };
    await waitFor(async () => (await countFailures())[0]?.requests === 3);
    expect(await countFailures()).toEqual([ofBoth, invalid]);
    expect(await countFailures(`apiKeyId=${key.id}`)).toEqual([{ ...notFound, requests: 2 }, invalid]);
    expect(await countFailures(`model=${embedded}`)).toEqual([invalid]);
    expect(await countFailures('from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z')).toEqual([]);
    expect(await countFailures('', stranger.token)).toEqual([]);
    expect(await countFailures(`apiKeyId=${key.id}`, stranger.token)).toEqual([]);
  });

  it('should name the three keys with the most failures, including deleted ones', async () => {
    const keys = [key];
    for (const name of ['Second', 'Third', 'Fourth']) keys.push(await createApiKey(service, member, name));
    for (const [place, { key: token }] of keys.entries()) {
      for (let count = 4 - place; count > 0; count--) await embed('unknown', token);
    }
    await waitFor(async () => (await countFailures())[0]?.requests === 10);
    await call(service.url, `DELETE /api-keys/${key.id}`, { token: member.token });
    const named = keys.slice(0, 3).map(({ id }, place) => ({ id, requests: 4 - place, isDeleted: place === 0 }));
    expect(await countFailures()).toMatchObject([{ apiKeys: named, apiKeyCount: 4 }]);
  });
});

describe('Failed requests', () => {
  it('should get the same response while they can not be recorded, and be recorded again afterwards', async () => {
    await service.query('alter table failed_requests rename to failed_requests_away');
    expect((await call(service.url, 'GET /v1/models/unknown', { token: key.key })).status).toBe(404);
    await waitFor(() => service.logLines.some((line) => line.includes('Failed requests could not be recorded.')));
    expect((await call(service.url, 'GET /v1/models', { token: key.key })).status).toBe(200);
    await service.query('alter table failed_requests_away rename to failed_requests');
    expect(await findFailure(await embed('unknown'))).toMatchObject({ status: 404 });
  });

  it('should be recorded before the service stops, even if they are being written', async () => {
    const recorder = service.app.get(FailureRecorderService);
    const note = (model: string) =>
      recorder.record({
        key: { apiKeyId: key.id },
        occurredAt: new Date(),
        route: 'POST /v1/ocr',
        model,
        requestedModel: null,
        status: 500,
        code: 'internal-error',
        invalidFields: [],
        exceededLimit: null,
        requestId: model,
        address: null,
      });
    const blocker = new pg.Client(service.database);
    await blocker.connect();
    try {
      await blocker.query('begin');
      await blocker.query(
        `insert into failure_counts (organization_id, hour, api_key_id, model, status, code, requests)
           select $1, hour, $2, 'first', 500, 'internal-error', 1
           from date_trunc('hour', now(), 'UTC') as now, generate_series(now, now + interval '1 hour', '1 hour') as hour`,
        [member.organizationId, key.id],
      );
      note('first');
      await waitFor(async () => (await countLockWaits(service)) === 1);
      note('second');
      let hasStopped = false;
      const stopping = recorder.beforeApplicationShutdown().then(() => {
        hasStopped = true;
      });
      // The second write would be finished by then.
      for (let queries = 0; queries < 20; queries++) await service.query('select 1');
      expect(hasStopped).toBe(false);
      await blocker.query('rollback');
      await stopping;
      const models = (await listFailures()).map(({ model }) => model);
      expect(models.sort()).toEqual(['first', 'second']);
    } finally {
      await blocker.end();
    }
  });
});
