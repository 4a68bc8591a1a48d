import { readFile } from 'node:fs/promises';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ConfidenceScoresGranularity, EmbeddingDtype, TableFormat } from '@mistralai/mistralai/models/components';
import type { OpenAPIObject } from '@nestjs/swagger';
import { AccessCheckService } from '../../src/access/access-check.service.js';
import { routeGroups } from '../../src/ai-gateway/tasks/tasks.js';
import type { Access } from '../../src/access/declare-access.js';
import { createOpenApiDocument } from '../../src/openapi/create-document.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';
import { findOperationGaps, operationsOf } from './operation-gaps.js';
import { findSchemaGaps } from './schema-gaps.js';

const service = useTestApp();
let served: OpenAPIObject;

beforeAll(async () => {
  served = (await call(service.url, 'GET /openapi.json')).body as OpenAPIObject;
});

const gapsOf = (document: OpenAPIObject) => [
  ...operationsOf(document).flatMap((operation) => findOperationGaps(document, operation)),
  ...findSchemaGaps(document),
];

describe('GET /openapi.json', () => {
  it('should match the committed openapi.json', async () => {
    const committed: unknown = JSON.parse(await readFile('openapi.json', 'utf8'));
    expect(served).toEqual(committed);
  });

  it('should be the same however often it is created', () => {
    const documents = [1, 2].map(() => JSON.stringify(createOpenApiDocument(service.app)));
    expect(documents[0]).toBe(documents[1]);
  });

  it('should describe every operation, parameter, field and response', () => {
    expect(gapsOf(served)).toEqual([]);
  });

  it('should describe every route with its enforced access', () => {
    const described = operationsOf(served).map(({ route, description }) => ({
      route,
      security: description.security,
      permission: description['x-required-permission'],
    }));
    const enforced = service.app
      .get(AccessCheckService)
      .routes()
      .map(({ route, access }) => ({
        route: route.replace(/:(\w+)/g, '{$1}'),
        security: securityOf(access),
        permission: access?.kind === 'permission' ? access.permission : null,
      }));
    const byRoute = (one: { route: string }, other: { route: string }) => one.route.localeCompare(other.route);
    expect(described.sort(byRoute)).toEqual(enforced.sort(byRoute));
  });

  it('should name each operation after its method, uniquely', () => {
    const scanner = service.app.get(MetadataScanner, { strict: false });
    const controllers = service.app.get(DiscoveryService, { strict: false }).getControllers();
    const classes = [...routeGroups.map(({ routes }) => routes), ...controllers.map(({ metatype }) => metatype)];
    const names = classes.flatMap((type) => scanner.getAllMethodNames(type?.prototype as object));
    const operationIds = operationsOf(served).map(({ description }) => description.operationId);
    // One method serves both GET and POST of a path.
    expect(operationIds.filter((id = '') => !names.includes(id.replace(/Post$/, '')))).toEqual([]);
    expect(new Set(operationIds).size).toBe(operationIds.length);
  });

  // Upstreams may support options that no model inside Keycard has.
  it.each([
    ['OcrRequest', 'confidence_scores_granularity', ConfidenceScoresGranularity],
    ['OcrRequest', 'table_format', TableFormat],
    ['EmbeddingsRequest', 'output_dtype', EmbeddingDtype],
  ])("should allow each value of Mistral's client for %s.%s", (schema, field, values) => {
    const { enum: allowed } = at(served, 'components', 'schemas', schema, 'properties', field) as { enum: unknown[] };
    expect(allowed).toEqual(expect.arrayContaining(Object.values(values)));
  });

  it('should require every field that all models have', async () => {
    const { key } = await createApiKey(service, await createMember(service));
    const { data } = (await call(service.url, 'GET /v1/models', { token: key })).body as { data: object[] };
    const { required } = at(served, 'components', 'schemas', 'Model') as { required: string[] };
    expect(data).not.toEqual([]);
    for (const model of data) expect(required.toSorted()).toEqual(Object.keys(model).toSorted());
  });
});

const member = (value: unknown, name: string) => (value as Record<string, unknown>)[name] as object;
const at = (document: object, ...path: string[]) => path.reduce(member, document);

describe('The search for documentation gaps', () => {
  const post = ['paths', '/api-keys', 'post'];

  it.each([
    [[...post, 'security'], 'POST /api-keys: declare who may call it, for its security.'],
    [[...post, 'summary'], 'POST /api-keys: write a comment above the method, for its summary.'],
    [[...post, 'x-required-permission'], 'POST /api-keys: declare x-required-permission.'],
    [[...post, 'description'], 'POST /api-keys: write @remarks above the method, for its description.'],
    [[...post, 'requestBody', 'content', 'application/json', 'examples'], 'POST /api-keys: give its body an example.'],
    [[...post, 'responses', '429', 'x-error-codes'], 'POST /api-keys: list the error codes of its 429.'],
    [[...post, 'responses', '400'], 'POST /api-keys: document its 400 with @ApiBadRequestResponse(…).'],
    [[...post, 'responses', '201', 'content'], 'POST /api-keys: give its 201 a named schema.'],
    [[...post, 'responses', '201', 'headers', 'Location'], 'POST /api-keys: document Location of its 201.'],
    [
      [...post, 'responses', '400', 'content', 'application/problem+json'],
      'POST /api-keys: give its 400 the schema Problem.',
    ],
    [['components', 'schemas', 'CreateApiKey', 'properties', 'name', 'examples'], 'CreateApiKey.name: add an example.'],
    [
      ['components', 'schemas', 'ApiKeyList', 'properties', 'apiKeys', 'maxItems'],
      'ApiKeyList.apiKeys: add its bounds: minItems or maxItems.',
    ],
    [
      ['components', 'schemas', 'ApiKey', 'description'],
      'Schema ApiKey: describe it with @ApiSchema({ description }).',
    ],
  ])('should explain how to add a missing %j', (path, gap) => {
    const document = structuredClone(served);
    Reflect.deleteProperty(at(document, ...path.slice(0, -1)), path.at(-1) ?? '');
    expect(gapsOf(document)).toContain(gap);
  });
});

describe('A malformed path', () => {
  it.each([
    ['DELETE /api-keys', 400, '/%zz'],
    ['GET /v1/models', 400, '/%zz'],
  ])('should be rejected by %s with %i', async (route, status, rest) => {
    expect((await call(service.url, route + rest)).status).toBe(status);
  });
});

function securityOf(access: Access | undefined) {
  switch (access?.kind) {
    case 'signed-in':
      return access.serviceAccounts === true ? [{ AccessToken: [] }, { ServiceAccount: [] }] : [{ AccessToken: [] }];
    case 'permission':
      return [{ AccessToken: [] }, { ServiceAccount: [] }];
    case 'api-key':
      return [{ ApiKey: [] }, { ApiKeyAsBearer: [] }];
    case 'public':
      if (access.mayBeSignedIn === true) return [{}, { AccessToken: [] }];
      return (access.readsSession ?? []).map((scheme) => ({ [scheme]: [] }));
    case undefined:
      return [];
  }
}
