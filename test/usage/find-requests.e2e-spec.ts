import { DataSource } from 'typeorm';
import type { FoundRequestsDto } from '../../src/usage/requests/found-request.dto.js';
import type { LoggedRequest } from '../../src/usage/requests/logged-request.js';
import { RequestBatch } from '../../src/usage/requests/request-batch.js';
import {
  keysOfRequestParameters,
  maxKeysOfRequest,
  selectKeysOfRequest,
  writeRequests,
} from '../../src/usage/requests/request-queries.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { nodesOf, type PlanNode } from '../setup/query-plan.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { exampleRequest } from './example-request.js';

const service = useTestApp();
let member: Member;
let key: CreatedKey;

beforeEach(async () => {
  member = await createMember(service);
  key = await createApiKey(service, member, 'Search indexer');
});

const search = (requestId: string, token = member.token) =>
  call(service.url, `GET /api-keys/requests?requestId=${requestId}`, { token });
const find = async (requestId: string, token = member.token) =>
  ((await search(requestId, token)).body as FoundRequestsDto).apiKeys;

/** Logs requests of a key, as a replica does. */
async function log(requests: readonly LoggedRequest[], id = key.id): Promise<void> {
  const batch = new RequestBatch();
  for (const request of requests) batch.add(id, request);
  await writeRequests(service.app.get(DataSource), batch);
}

/** Returns the number of chunks whose text a search reads. */
async function countTextsRead(requestId: string): Promise<number> {
  const [row] = await service.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, format json) ${selectKeysOfRequest.text}`,
    keysOfRequestParameters(member.organizationId, requestId),
  );
  const nodes = row === undefined ? [] : nodesOf(row['QUERY PLAN'][0].Plan);
  return nodes.find((node) => node['Subplan Name'] === 'CTE chunks')?.['Actual Rows'] ?? NaN;
}

const examples = (count: number) => Array.from({ length: count }, () => exampleRequest());

describe('GET /api-keys/requests', () => {
  it('should find the key of a request by the ID in the response that its client received', async () => {
    await createApiKey(service, member, 'Another key');
    const { status, headers } = await call(service.url, 'POST /v1/embeddings', {
      token: key.key,
      body: { model: 'unknown', input: 'text' },
    });
    expect(status).toBe(404);
    const requestId = headers.get('x-request-id') ?? '';
    await waitFor(async () => (await find(requestId))[0]?.requests.length === 1);
    expect(await find(requestId)).toEqual([
      {
        ...{ id: key.id, name: 'Search indexer', hint: key.key.slice(0, 8) },
        requests: [expect.objectContaining({ requestId, status: 404, outcome: 'failure' })],
        failures: [expect.objectContaining({ requestId, code: 'model-not-found', requestedModel: 'unknown' })],
      },
    ]);
  });

  it('should find each of many requests, in any chunk of the log', async () => {
    const requests = examples(130);
    for (let start = 0; start < 130; start += 13) await log(requests.slice(start, start + 13));
    for (const { requestId } of requests.filter((_, index) => index % 10 === 0)) {
      expect(await find(requestId)).toMatchObject([{ id: key.id, requests: [{ requestId }], failures: [] }]);
    }
  });

  it('should find requests with the same ID of several keys, the latest first, and other IDs of clients', async () => {
    const other = await createApiKey(service, member, 'Another key');
    const requestId = 'job:7.retry-2';
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    await log([exampleRequest({ requestId, occurredAt: at(3) }), exampleRequest({ requestId, occurredAt: at(2) })]);
    await log([exampleRequest({ requestId, occurredAt: at(1) }), ...examples(3)], other.id);
    const found = await find(requestId);
    expect(found.map(({ name, requests }) => [name, requests.length])).toEqual([
      ['Another key', 1],
      ['Search indexer', 2],
    ]);
    for (const unknown of ['job:7', 'JOB:7.retry-2', '%25', '%22', '%5C', 'x'.repeat(128)]) {
      expect(await find(unknown)).toEqual([]);
    }
  });

  it('should find requests that an earlier release wrote, alone or together with this one', async () => {
    const [earlier, later] = [exampleRequest(), exampleRequest()];
    await log([earlier]);
    await service.query(`update request_chunks set fingerprints = '' where api_key_id = $1`, [key.id]);
    expect(await find(earlier.requestId)).toMatchObject([{ requests: [{ requestId: earlier.requestId }] }]);
    await log([later]);
    for (const { requestId } of [earlier, later]) {
      expect(await find(requestId)).toMatchObject([{ requests: [{ requestId }] }]);
    }
  });

  it('should find a failed request that the sample of a busy key left out', async () => {
    await service.query(
      `insert into failed_requests (id, organization_id, api_key_id, occurred_at, route, model, status, code, request_id)
       values (gen_random_uuid(), $1, $2, now(), 'POST /v1/embeddings', '', 500, 'internal-error', 'left-out')`,
      [member.organizationId, key.id],
    );
    expect(await find('left-out')).toMatchObject([{ id: key.id, requests: [], failures: [{ requestId: 'left-out' }] }]);
  });

  it('should only find what the key still lists', async () => {
    const days = (count: number) => new Date(Date.now() - count * 86_400_000);
    const [old, kept] = [exampleRequest({ occurredAt: days(31) }), exampleRequest({ occurredAt: days(29) })];
    await log([old, kept]);
    expect(await find(old.requestId)).toEqual([]);
    expect(await find(kept.requestId)).toHaveLength(1);
    await call(service.url, `DELETE /api-keys/${key.id}`, { token: member.token });
    expect(await find(kept.requestId)).toEqual([]);
  });

  it('should not find requests of other organizations', async () => {
    const stranger = await createMember(service);
    const foreign = await createApiKey(service, stranger);
    const request = exampleRequest();
    await log([request], foreign.id);
    expect(await find(request.requestId)).toEqual([]);
    expect(await find(request.requestId, stranger.token)).toHaveLength(1);
  });

  it('should return the keys with the latest requests if many have requests with the same ID', async () => {
    const requestId = 'health-check';
    const keys = await Promise.all(Array.from({ length: maxKeysOfRequest + 2 }, () => createApiKey(service, member)));
    for (const { id } of keys) await log([exampleRequest({ requestId })], id);
    const latest = keys.slice(2).map(({ id }) => id);
    expect((await find(requestId)).map(({ id }) => id)).toEqual(latest.toReversed());
  });

  it('should only read the text of chunks whose fingerprints match', async () => {
    const requests = examples(1000);
    for (let start = 0; start < 1000; start += 50) await log(requests.slice(start, start + 50));
    expect(await countTextsRead(exampleRequest().requestId)).toBe(0);
    expect(await countTextsRead(requests[500]?.requestId ?? '')).toBe(1);
  });

  it('should return 400 for an invalid query, 401 without a token and 403 without get-usage', async () => {
    for (const invalid of ['', 'x'.repeat(129), 'a%00', 'a&requestId=b']) {
      expect(await search(invalid)).toMatchObject({ status: 400, body: { errors: [{ field: 'requestId' }] } });
    }
    expect((await call(service.url, 'GET /api-keys/requests', { token: member.token })).status).toBe(400);
    expect((await call(service.url, 'GET /api-keys/requests?requestId=a')).status).toBe(401);
    const { token } = await createMember(service, { permissions: ['get-api-keys'] });
    expect((await search('a', token)).status).toBe(403);
  });
});
