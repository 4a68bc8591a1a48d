import { request } from 'node:http';
import { generateApiKey } from '../../src/api-keys/api-key.token.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { aiError } from '../setup/ai-error.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let member: Member;
let apiKey: CreatedKey;

beforeAll(async () => {
  member = await createMember(service);
  apiKey = await createApiKey(service, member);
});

const listModels = (headers: Record<string, string>) => call(service.url, 'GET /v1/models', { headers });

/** Sends headers verbatim, including repeated ones, which fetch would join. */
function statusOf(rawHeaders: string[]): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    const headers = ['Host', hostname, ...rawHeaders];
    const sent = request({ hostname, port, path: '/v1/models', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end();
  });
}

describe('An API key', () => {
  it('should be accepted in either header, with a case-insensitive scheme', async () => {
    expect((await listModels({ 'x-api-key': apiKey.key })).status).toBe(200);
    expect((await listModels({ authorization: `Bearer ${apiKey.key}` })).status).toBe(200);
    expect((await listModels({ authorization: `bearer ${apiKey.key}` })).status).toBe(200);
  });

  it('should be read from x-api-key if both headers are sent', async () => {
    const other = generateApiKey();
    const both = (first: string, second: string) => listModels({ 'x-api-key': first, authorization: second });
    expect((await both(apiKey.key, `Bearer ${other}`)).status).toBe(200);
    expect((await both(apiKey.key, 'Nonsense')).status).toBe(200);
    expect((await both(other, `Bearer ${apiKey.key}`)).status).toBe(401);
    expect((await both('', `Bearer ${apiKey.key}`)).status).toBe(401);
  });

  it('should be rejected if its header is sent twice', async () => {
    expect(await statusOf(['x-api-key', apiKey.key])).toBe(200);
    expect(await statusOf(['x-api-key', apiKey.key, 'X-Api-Key', apiKey.key])).toBe(401);
    const authorization = `Bearer ${apiKey.key}`;
    expect(await statusOf(['authorization', authorization])).toBe(200);
    expect(await statusOf(['authorization', authorization, 'Authorization', authorization])).toBe(401);
  });

  it('should be requested with a bare challenge if none was sent', async () => {
    const response = await listModels({});
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="keycard"');
    expect(response.body).toEqual(
      aiError({
        message: expect.stringContaining('x-api-key') as string,
        type: 'invalid_request_error',
        param: null,
        code: null,
      }),
    );
  });

  it.each([
    ['unknown', () => `Bearer ${generateApiKey()}`],
    ['cut short', () => `Bearer ${apiKey.key.slice(0, -1)}`],
    ['one character too long', () => `Bearer ${apiKey.key}x`],
    ['lower-cased', () => `Bearer ${apiKey.key.toLowerCase()}`],
    ['cut to its hint', () => `Bearer ${apiKey.key.slice(0, 8)}`],
    ['followed by another', () => `Bearer ${apiKey.key} ${apiKey.key}`],
    ['sent with another scheme', () => `Basic ${apiKey.key}`],
    ['sent without a scheme', () => apiKey.key],
    ['empty', () => 'Bearer '],
  ])('should be rejected if it is %s', async (_title, authorization) => {
    const response = await listModels({ authorization: authorization() });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="keycard", error="invalid_token"');
    expect(response.body).toMatchObject({ error: { type: 'invalid_request_error', code: 'invalid_api_key' } });
    expect(response.text).not.toContain(apiKey.key);
  });

  it('should be required on AI routes, which reject JWTs', async () => {
    const response = await listModels({ authorization: `Bearer ${member.token}` });
    expect(response.status).toBe(401);
    expect(response.body).toMatchObject({
      error: { message: expect.stringContaining('requires an API key') as string },
    });
  });

  it('should not be read from the query string', async () => {
    expect((await call(service.url, `GET /v1/models?api_key=${apiKey.key}&x-api-key=${apiKey.key}`)).status).toBe(401);
  });

  it('should be rejected once its deletion has returned, and other keys still accepted', async () => {
    const doomed = await createApiKey(service, member);
    expect((await listModels({ 'x-api-key': doomed.key })).status).toBe(200);
    await call(service.url, `DELETE /api-keys/${doomed.id}`, { token: member.token });
    expect((await listModels({ 'x-api-key': doomed.key })).status).toBe(401);
    expect((await listModels({ 'x-api-key': apiKey.key })).status).toBe(200);
  });

  it('should outlive the account that created it', async () => {
    const creator = await createMember(service, { organizationId: member.organizationId });
    const { key } = await createApiKey(service, creator);
    await service.query('delete from users where id = $1', [creator.userId]);
    expect((await listModels({ 'x-api-key': key })).status).toBe(200);
  });
});

describe('GET /v1/models', () => {
  const headers = () => ({ 'x-api-key': apiKey.key });

  it("should return the models in OpenAI's format, each with its task and languages", async () => {
    const response = await listModels(headers());
    const model = {
      id: 'universal-sentence-encoder-lite',
      object: 'model',
      created: 1_522_281_600,
      owned_by: 'keycard',
      task: 'embeddings',
      languages: ['en'],
    };
    const common = { object: 'model', owned_by: 'keycard', languages: null };
    const ocr = { id: 'tesseract', created: 1_638_230_400, task: 'ocr', ...common };
    expect(response.body).toMatchObject({ object: 'list', data: [model, ocr] });
    const one = await call(service.url, `GET /v1/models/${model.id}`, { headers: headers() });
    expect(one.body).toMatchObject(model);
  });

  it('should return 404 model_not_found for an unknown model', async () => {
    for (const model of ['gpt-9', 'x'.repeat(101), 'x'.repeat(5000)]) {
      const response = await call(service.url, `GET /v1/models/${model}`, { headers: headers() });
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject({ error: { code: 'model_not_found', param: 'model' } });
    }
  });
});
