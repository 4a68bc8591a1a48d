import { createRestrictedKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { generate, generationModel } from '../setup/generation.js';
import { useGateway } from '../setup/gateway.js';
import { respondWithJson, startUpstream, type Upstream } from '../setup/upstream.js';

describe('An error before the response', () => {
  let upstream: Upstream;
  const gateway = useGateway(async () => {
    upstream = await startUpstream();
    return [generationModel([upstream])];
  });
  afterAll(() => upstream.stop());
  const body = { model: 'small', messages: [], max_tokens: 10 };

  it.each([400, 404, 409, 422, 429, 500, 529])('should keep the status %i, type, code and message', async (status) => {
    const error = { message: 'The reason.', type: 'their_type', param: 'messages.0', code: 'their_code' };
    upstream.respond = (response) =>
      respondWithJson(response, status, JSON.stringify({ error }), { 'retry-after': '7' });
    const response = await generate(gateway, 'chat/completions', body);
    expect(response.status).toBe(status);
    expect(response.headers.get('retry-after')).toBe('7');
    expect(await response.json()).toMatchObject({ error });
  });

  it.each([401, 403, 302])(
    "should be a 502 for a %i, which is about Keycard's own credential or settings",
    async (status) => {
      upstream.respond = (response) => respondWithJson(response, status, '{"error":{"message":"Bad key"}}');
      const response = await generate(gateway, 'chat/completions', body);
      expect(response.status).toBe(502);
      expect(await response.text()).not.toContain('Bad key');
    },
  );

  it.each([
    [400, 'invalid_request_error', { model: '' }],
    [400, 'invalid_request_error', '{"model":'],
    [404, 'not_found_error', { model: 'unknown' }],
    [413, 'request_too_large', `{"model":"small","messages":"${'a'.repeat(33 * 1024 * 1024)}"}`],
  ])("should be a %i of %s in Anthropic's format under /v1/messages", async (status, type, invalid) => {
    const response = await generate(gateway, 'messages', invalid);
    expect(response.status).toBe(status);
    const id = response.headers.get('request-id');
    expect(id).toBeTruthy();
    expect(await response.json()).toMatchObject({ type: 'error', error: { type }, request_id: id });
  });

  it("should be in Anthropic's format for wrong keys, forbidden models and exhausted limits", async () => {
    const typeOf = async (key: string, route: 'messages' | 'messages/count_tokens' = 'messages') => {
      const response = await generate({ url: gateway.url, key }, route, body);
      const { type, error } = (await response.json()) as { type: string; error: { type: string } };
      return [response.status, type, error.type, response.headers.get('x-should-retry')];
    };
    const member = await createMember(gateway);
    const restricted = await createRestrictedKey(gateway, member, { models: ['another'] });
    const limited = await createRestrictedKey(gateway, member, { limits: [{ metric: 'tokens', per: 'day', max: 1 }] });
    expect(await typeOf('kc_wrong')).toEqual([401, 'error', 'authentication_error', null]);
    expect(await typeOf('kc_wrong', 'messages/count_tokens')).toEqual([401, 'error', 'authentication_error', null]);
    expect(await typeOf(restricted.key)).toEqual([403, 'error', 'permission_error', null]);
    expect(await typeOf(limited.key)).toEqual([429, 'error', 'rate_limit_error', 'false']);
  });

  it('should keep what an upstream of Anthropic reports', async () => {
    const error = { type: 'overloaded_error', message: 'Overloaded' };
    upstream.respond = (response) => respondWithJson(response, 529, JSON.stringify({ type: 'error', error }));
    const response = await generate(gateway, 'messages', body);
    expect(response.status).toBe(529);
    expect(await response.json()).toMatchObject({ type: 'error', error });
  });

  it.each(['GET', 'DELETE'])(
    'should be a 404 for %s /v1/responses/{id}: stored responses would be shared',
    async (method) => {
      const headers = { authorization: `Bearer ${gateway.key}` };
      expect((await fetch(`${gateway.url}/v1/responses/resp_1`, { method, headers })).status).toBe(404);
    },
  );

  it("should list models in Anthropic's format for its clients", async () => {
    const headers = { 'x-api-key': gateway.key, 'anthropic-version': '2023-06-01' };
    const list = await (await fetch(`${gateway.url}/v1/models`, { headers })).json();
    const model = { type: 'model', id: 'small', display_name: 'small', created_at: '1970-01-01T00:00:00.000Z' };
    expect(list).toEqual({ data: [model], has_more: false, first_id: 'small', last_id: 'small' });
    expect(await (await fetch(`${gateway.url}/v1/models/small`, { headers })).json()).toEqual(model);
  });
});
