/*
 * What a team writes with each generator: sign in, create a key, read all pages of keys, embed, upload a document, sign
 * out. None needs a cast.
 */

/** What all clients share. Each exports `run`. */
const shared = `
interface Settings { url: string; email: string; password: string; document: File }
interface Outcome { names: string[]; dimensions: number; markdown: string | undefined; afterSignOut: number | undefined }
const model = 'universal-sentence-encoder-lite';
`;

const openapiFetch = `
import createClient from 'openapi-fetch';
import type { paths } from './openapi-typescript.js';
${shared}
function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The request failed.');
  return value;
}

export async function run({ url, email, password, document }: Settings): Promise<Outcome> {
  const client = createClient<paths>({ baseUrl: url });
  const { accessToken } = required((await client.POST('/auth/sign-in', { body: { email, password } })).data);
  const headers = { authorization: 'Bearer ' + accessToken };
  const { key } = required((await client.POST('/api-keys', { headers, body: { name: 'openapi-fetch' } })).data);
  const names: string[] = [];
  for (let page = 1, total = 1; names.length < total; page += 1) {
    const list = required((await client.GET('/api-keys', { headers, params: { query: { page, perPage: 1 } } })).data);
    total = list.total;
    names.push(...list.apiKeys.map(({ name }) => name));
  }
  const ai = { 'x-api-key': key };
  const embeddings = required((await client.POST('/v1/embeddings', { headers: ai, body: { model, input: 'text' } })).data);
  const read = required((await client.POST('/v1/ocr/upload', {
    headers: ai,
    body: { model: 'tesseract', file: document },
    bodySerializer: ({ model, file }) => {
      const form = new FormData();
      form.set('model', model);
      form.set('file', file);
      return form;
    },
  })).data);
  required((await client.POST('/auth/sign-out', { headers })).data);
  const { response } = await client.GET('/auth/me', { headers });
  const dimensions = embeddings.data[0]?.embedding.length ?? 0;
  return { names, dimensions, markdown: read.pages[0]?.markdown, afterSignOut: response.status };
}
`;

const heyApi = `
import { createClient } from './hey-api/client';
import { createApiKey, createEmbeddings, getMe, listApiKeys, signIn, signOut, uploadDocument } from './hey-api';
${shared}
export async function run({ url, email, password, document }: Settings): Promise<Outcome> {
  const credentials: { token?: string; key?: string } = {};
  const client = createClient({
    baseUrl: url,
    auth: ({ type, in: place }) => (type === 'http' ? credentials.token : place === 'cookie' ? undefined : credentials.key),
  });
  const options = { client, throwOnError: true } as const;
  const { data: session } = await signIn({ ...options, body: { email, password } });
  credentials.token = session.accessToken;
  const { data: created } = await createApiKey({ ...options, body: { name: 'hey-api' } });
  credentials.key = created.key;
  const names: string[] = [];
  for (let page = 1, total = 1; names.length < total; page += 1) {
    const { data: list } = await listApiKeys({ ...options, query: { page, perPage: 1 } });
    total = list.total;
    names.push(...list.apiKeys.map(({ name }) => name));
  }
  const { data: embeddings } = await createEmbeddings({ ...options, body: { model, input: 'text' } });
  const { data: read } = await uploadDocument({ ...options, body: { model: 'tesseract', file: document } });
  await signOut(options);
  const { response } = await getMe({ client });
  const dimensions = embeddings.data[0]?.embedding.length ?? 0;
  return { names, dimensions, markdown: read.pages[0]?.markdown, afterSignOut: response?.status };
}
`;

const swaggerTypescriptApi = `
import { Api } from './swagger-typescript-api.js';
${shared}
export async function run({ url, email, password, document }: Settings): Promise<Outcome> {
  const api = new Api<string>({
    baseUrl: url,
    securityWorker: (token) => (token === null ? {} : { headers: { authorization: 'Bearer ' + token } }),
  });
  const { data: session } = await api.auth.signIn({ email, password });
  api.setSecurityData(session.accessToken);
  const { data: created } = await api.apiKeys.createApiKey({ name: 'swagger-typescript-api' });
  const names: string[] = [];
  for (let page = 1, total = 1; names.length < total; page += 1) {
    const { data: list } = await api.apiKeys.listApiKeys({ page, perPage: 1 });
    total = list.total;
    names.push(...list.apiKeys.map(({ name }) => name));
  }
  const ai = { headers: { 'x-api-key': created.key } };
  const { data: embeddings } = await api.v1.createEmbeddings({ model, input: 'text' }, ai);
  const { data: read } = await api.v1.uploadDocument({ model: 'tesseract', file: document }, ai);
  await api.auth.signOut();
  const afterSignOut = await api.auth.getMe().then(({ status }) => status, ({ status }) => status);
  const dimensions = embeddings.data[0]?.embedding.length ?? 0;
  return { names, dimensions, markdown: read.pages[0]?.markdown, afterSignOut };
}
`;

const oazapfts = `
import * as api from './oazapfts.js';
${shared}
export async function run({ url, email, password, document }: Settings): Promise<Outcome> {
  api.defaults.baseUrl = url;
  const session = await api.signIn({ email, password });
  if (session.status !== 200) throw new Error(session.data.detail);
  const headers = { authorization: 'Bearer ' + session.data.accessToken };
  const created = await api.createApiKey({ name: 'oazapfts' }, {}, { headers });
  if (created.status !== 201) throw new Error(created.data.detail);
  const names: string[] = [];
  for (let page = 1, total = 1; names.length < total; page += 1) {
    const list = await api.listApiKeys({ page, perPage: 1 }, { headers });
    if (list.status !== 200) throw new Error(list.data.detail);
    total = list.data.total;
    names.push(...list.data.apiKeys.map(({ name }) => name));
  }
  const ai = { headers: { 'x-api-key': created.data.key } };
  const embeddings = await api.createEmbeddings({ model, input: 'text' }, ai);
  if (embeddings.status !== 200) throw new Error(embeddings.data.error.message);
  const read = await api.uploadDocument({ model: 'tesseract', file: document }, ai);
  if (read.status !== 200) throw new Error(read.data.error.message);
  await api.signOut({ headers });
  const { status } = await api.getMe({ headers });
  const dimensions = embeddings.data.data[0]?.embedding.length ?? 0;
  return { names, dimensions, markdown: read.data.pages[0]?.markdown, afterSignOut: status };
}
`;

/** By file name. */
export const clients: Record<string, string> = {
  'openapi-fetch-client': openapiFetch,
  'hey-api-client': heyApi,
  'swagger-typescript-api-client': swaggerTypescriptApi,
  'oazapfts-client': oazapfts,
};

const types = `import type { components, operations } from './openapi-typescript.js';\n`;
const query = `type ListQuery = operations['listApiKeys']['parameters']['query'];\n`;
const schema = (name: string) => `type ${name} = components['schemas']['${name}'];\n`;

/** Wrong uses, and what the compiler's message names. */
export const problems: [source: string, word: string][] = [
  [`${types}${query}export const wrong: ListQuery = { sort: 'name' };`, 'sort'],
  [`${types}${query}export const wrong: ListQuery = { order: 'asc' };`, 'asc'],
  [`${types}${schema('ApiKey')}export const wrong = (key: ApiKey) => key.key;`, 'key'],
  [`${types}${schema('EmbeddingsRequest')}export const wrong: EmbeddingsRequest = { model: 'm' };`, 'input'],
  [`${types}${schema('SignIn')}export const wrong: SignIn = { email: 'a@example.com' };`, 'password'],
  [`${types}${schema('Permission')}export const wrong: Permission = 'fly';`, 'fly'],
  [`${types}${schema('ErrorCode')}export const wrong: ErrorCode = 'oops';`, 'oops'],
];
