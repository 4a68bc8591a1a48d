import type { ModelDefinition } from '../../src/config/model-definition.js';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { type CallResponse, call } from './call.js';
import { startTestApp, type TestApp } from './test-app.js';
import { useStarted } from './use-test-app.js';

export interface Gateway extends TestApp {
  key: string;
  /** Posts a body to `/v1/embeddings`, unchanged if it is text. */
  embed: (body: string | object, headers?: Record<string, string>) => Promise<CallResponse>;
}

/** Starts the app with these models and a key, by default with its own database. */
export async function startGateway(models: ModelDefinition[], database?: DatabaseConnection): Promise<Gateway> {
  const service = await startTestApp({ config: { models }, ...(database && { database }) });
  const { key } = await createApiKey(service, await createMember(service));
  const embed: Gateway['embed'] = (body, headers) =>
    call(service.url, 'POST /v1/embeddings', {
      token: key,
      rawBody: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  return { ...service, key, embed };
}

/** Starts a gateway before the tests of this file or `describe` block and stops it after them. */
export function useGateway(models: () => ModelDefinition[] | Promise<ModelDefinition[]>): Gateway {
  return useStarted(async () => startGateway(await models()));
}
