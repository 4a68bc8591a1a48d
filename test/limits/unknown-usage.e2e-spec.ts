import type { ServerResponse } from 'node:http';
import type { LimitStateDto } from '../../src/limits/dto/limit.dto.js';
import type { UsageReportDto } from '../../src/usage/dto/usage-report.dto.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readCounters, setLimits } from '../factories/limits.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useRawClients } from '../setup/raw-client.js';
import { embeddingsText, respondWithJson, startUpstream, type Upstream, upstreamModel } from '../setup/upstream.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

let upstream: Upstream;
let member: Member;
let key: CreatedKey;

const service = useTestApp(async () => {
  upstream = await startUpstream();
  const scans = upstreamModel([upstream], { id: 'scans', task: 'ocr' });
  const late = upstreamModel([{ ...upstream, timeoutSeconds: 1 }], { id: 'late' });
  return { config: { models: [upstreamModel([upstream]), scans, late] } };
});
const connectClient = useRawClients();
afterAll(() => upstream.stop());

beforeEach(async () => {
  upstream.requests.splice(0);
  member = await createMember(service);
  key = await createApiKey(service, member);
  await setLimits(service, { keyId: key.id }, [
    { metric: 'tokens', per: 'day', max: 100_000 },
    { metric: 'pages', per: 'day', max: 10 },
  ]);
});

/** Unlike `call`, it accepts what upstreams shouldn't send. */
const send = (path: string, body: object) => {
  const headers = { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' };
  return fetch(`${service.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
};
/** The value of `input` has 20 bytes. */
const input = ['eight...', 'four'];
const inputBytes = JSON.stringify(input).length;
const embed = (model = 'small') => send('/v1/embeddings', { model, input, user: 'x'.repeat(1000) });
const stateOf = async (metric: string) => {
  const { body } = await call(service.url, `GET /api-keys/${key.id}`, { token: member.token });
  return (body as { limits: LimitStateDto[] }).limits.find((limit) => limit.metric === metric);
};
const reported = async () => {
  const { body } = await call(service.url, 'GET /usage', { token: member.token });
  return (body as UsageReportDto).groups[0]?.totals;
};

describe('What an upstream used without reporting it', () => {
  it('should be charged as it was reserved, and be marked as estimated, if the response breaks off', async () => {
    const started = new Promise<ServerResponse>((resolve) => {
      upstream.respond = (response) => {
        const text = embeddingsText('small');
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
        response.write(text.slice(0, 20));
        resolve(response);
      };
    });
    const response = await embed();
    (await started).destroy();
    await expect(response.text()).rejects.toThrow('terminated');
    await waitFor(async () => (await stateOf('tokens'))?.estimated === inputBytes);
    expect(await stateOf('tokens')).toMatchObject({ used: inputBytes, reserved: 0, estimated: inputBytes });
    expect(await reported()).toMatchObject({ requests: 1, inputTokens: inputBytes, estimatedRequests: 1 });
  });

  it('should be charged as it was reserved if the response has no usage', async () => {
    upstream.respond = (response) => respondWithJson(response, 200, '{"object":"list","data":[],"model":"m"}');
    expect((await embed()).status).toBe(200);
    expect(await stateOf('tokens')).toMatchObject({ used: inputBytes, estimated: inputBytes });
  });

  it('should be charged as it was reserved if the upstream is too slow', async () => {
    upstream.respond = () => undefined;
    expect((await embed('late')).status).toBe(504);
    expect(await stateOf('tokens')).toMatchObject({ used: inputBytes, estimated: inputBytes });
  });

  it('should be charged as it was reserved if the client disconnects', async () => {
    upstream.respond = () => undefined;
    const client = await connectClient(service);
    const body = JSON.stringify({ model: 'small', input });
    await client.write(
      `POST /v1/embeddings HTTP/1.1\r\nhost: k\r\nx-api-key: ${key.key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await waitFor(() => upstream.requests[0]?.body !== undefined);
    client.destroy();
    await waitFor(async () => (await stateOf('tokens'))?.estimated === inputBytes);
    expect(await stateOf('tokens')).toMatchObject({ used: inputBytes, reserved: 0 });
  });

  it('should be one page for a document', async () => {
    upstream.respond = (response) => response.destroy();
    const document = { type: 'document_url', document_url: 'https://example.com/a.pdf' };
    expect((await send('/v1/ocr', { model: 'scans', document })).status).toBe(502);
    expect(await stateOf('pages')).toMatchObject({ used: 1, estimated: 1 });
    expect(await reported()).toMatchObject({ pages: 1, estimatedRequests: 1 });
  });

  it.each([400, 429, 500])('should be nothing if the upstream responds %i', async (status) => {
    upstream.respond = (response) => respondWithJson(response, status, '{"error":{"message":"No."}}');
    await embed();
    expect(await stateOf('tokens')).toMatchObject({ used: 0, estimated: 0 });
  });

  it('should be what is reported, even if that is zero or more than was reserved', async () => {
    upstream.respond = (response) => respondWithJson(response, 200, embeddingsText('small', 0));
    await embed();
    expect(await stateOf('tokens')).toMatchObject({ used: 0, estimated: 0 });
    upstream.respond = (response) => respondWithJson(response, 200, embeddingsText('small', 5000));
    await embed();
    expect(await stateOf('tokens')).toMatchObject({ used: 5000, estimated: 0 });
    expect(await reported()).toMatchObject({ requests: 2, inputTokens: 5000, estimatedRequests: 0 });
  });

  it('should be recorded for keys without limits as well', async () => {
    await setLimits(service, { keyId: key.id }, []);
    await service.query('update api_keys set limits = null where id = $1', [key.id]);
    upstream.respond = (response) => response.destroy();
    expect((await embed()).status).toBe(502);
    expect(await reported()).toMatchObject({ inputTokens: inputBytes, estimatedRequests: 1 });
    expect(await readCounters(service, member.organizationId)).toEqual({});
  });
});
