import { generateApiKey } from '../../src/api-keys/api-key.token.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';
import { openAiClients } from './client-versions.js';

const model = 'universal-sentence-encoder-lite';

const service = useTestApp();
let member: Member;
let apiKey: { id: string; key: string };

beforeAll(async () => {
  member = await createMember(service);
  apiKey = await createApiKey(service, member);
});

describe.each(openAiClients)('The $version client', ({ OpenAI }) => {
  let client: InstanceType<typeof OpenAI>;

  beforeAll(() => {
    client = clientWith(apiKey.key);
  });

  const clientWith = (key: string) => new OpenAI({ baseURL: `${service.url}/v1`, apiKey: key, maxRetries: 0 });

  it('should get the same vectors with base64, its default, and with floats', async () => {
    const input = ['How do I reset my password?', 'Bananas are rich in potassium'];
    const encoded = await client.embeddings.create({ model, input });
    const plain = await client.embeddings.create({ model, input, encoding_format: 'float' });
    expect(encoded.object).toBe('list');
    expect(encoded.model).toBe(model);
    expect(encoded.usage).toEqual(plain.usage);
    expect(encoded.usage.total_tokens).toBeGreaterThan(10);
    for (const [index, { embedding }] of encoded.data.entries()) {
      expect(embedding).toHaveLength(512);
      embedding.forEach((value, place) => expect(value).toBeCloseTo(plain.data[index]?.embedding[place] ?? NaN, 6));
    }
  });

  it('should embed a single text with fewer dimensions', async () => {
    const { data } = await client.embeddings.create({ model, input: 'Hello', dimensions: 128, user: 'user-1' });
    expect(data.map(({ embedding, index, object }) => [embedding.length, index, object])).toEqual([
      [128, 0, 'embedding'],
    ]);
  });

  it('should list and retrieve models', async () => {
    const listed = await client.models.list();
    expect(listed.data.map(({ id }) => id)).toEqual([model, 'tesseract']);
    const embeddings = { id: model, object: 'model', owned_by: 'keycard', task: 'embeddings' };
    expect(await client.models.retrieve(model)).toMatchObject(embeddings);
  });

  it('should expose the request id', async () => {
    const response = await client.models.retrieve(model);
    expect(response._request_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('should raise AuthenticationError for an unknown key, a JWT and a deleted key', async () => {
    const deleted = await createApiKey(service, member);
    const deletedClient = clientWith(deleted.key);
    await deletedClient.models.list();
    await call(service.url, `DELETE /api-keys/${deleted.id}`, { token: member.token });
    for (const rejected of [clientWith(generateApiKey()), clientWith(member.token), deletedClient]) {
      const error = await rejected.embeddings.create({ model, input: 'Hello' }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
      expect(error).toMatchObject({ status: 401, code: 'invalid_api_key', type: 'invalid_request_error' });
    }
  });

  it('should raise NotFoundError for an unknown model', async () => {
    const error = await client.embeddings.create({ model: 'gpt-9', input: 'Hello' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    expect(error).toMatchObject({ code: 'model_not_found', param: 'model' });
    await expect(client.models.retrieve('gpt-9')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  it('should raise BadRequestError naming the parameter', async () => {
    const error = await client.embeddings.create({ model, input: '' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ status: 400, param: 'input' });
    expect((error as InstanceType<typeof OpenAI.BadRequestError>).requestID).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('should be able to abort a request and send another', async () => {
    const controller = new AbortController();
    const input = Array.from({ length: 500 }, (_, number) => `An abandoned text, number ${number}`);
    const abandoned = client.embeddings.create({ model, input }, { signal: controller.signal });
    await client.models.list();
    controller.abort();
    await expect(abandoned).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    expect((await client.embeddings.create({ model, input: 'Hello' })).data).toHaveLength(1);
  });
});
