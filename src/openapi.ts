import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, type OperationObject, SwaggerModule } from '@nestjs/swagger';
import { describeGateway, gatewaySchemas } from './ai-gateway/openapi.js';
import { openAiErrorContent, problemContent } from './common/errors/api-errors.js';
import { OpenAiErrorDto } from './common/errors/openai-error.dto.js';
import { ProblemDto } from './common/errors/problem.dto.js';
import { headerComponents, requestIdHeader } from './common/http/api-headers.js';

/** Errors that any route can return. */
const commonErrors = {
  400: 'The request cannot be read.',
  408: 'The request stopped arriving.',
  417: 'The `Expect` header is not supported.',
  431: 'The URL and headers are larger than 16 KB.',
};

/** Errors of any request that may have a body. */
const bodyErrors = {
  413: 'The body is larger than 100 KB.',
  415: 'The body is not JSON, or is compressed.',
};

/** Errors of any request with a token of the identity provider. */
const jwtErrors = {
  403: 'The identity provider has not verified the email, or the account belongs to no organization.',
};

/** The contract of the HTTP API, from which clients are generated. */
export function createOpenApiDocument(app: INestApplication): OpenAPIObject {
  const description = [
    'Issues the API keys of an organization and stands in front of its AI endpoints.',
    '',
    'Management routes take a JWT, which `POST /auth/sign-in` returns; `/v1/*` routes take an API key.',
  ].join('\n');
  const builder = new DocumentBuilder()
    .setTitle('Keycard')
    .setVersion('0.1.0')
    .setDescription(description)
    .setLicense('Proprietary', 'about:blank')
    .addServer('/', 'This server')
    .addTag('Sign-in', 'Who is signed in.')
    .addTag('Sessions', 'Where the user is signed in.')
    .addTag('API keys', 'The keys of the current organization.')
    .addTag('Usage', 'What the keys have used.')
    .addTag('Organizations', 'The organizations of the signed-in user, and the settings of the current one.')
    .addTag('Members', 'Who belongs to the current organization, and who is invited.')
    .addTag('Roles', 'What members of the current organization may do.')
    .addTag('Audit', 'Who did what.')
    .addTag('AI', 'What the keys are for.')
    .addTag('Health', 'For load balancers and orchestrators.')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'For management routes.' },
      'jwt',
    )
    .addSecurity('apiKeyBearer', { type: 'http', scheme: 'bearer', description: 'An API key, for `/v1/*` routes.' })
    .addSecurity('apiKeyHeader', {
      type: 'apiKey',
      in: 'header',
      name: 'x-api-key',
      description: 'An API key, for `/v1/*` routes; wins over `Authorization`.',
    });
  const document = SwaggerModule.createDocument(app, builder.build(), {
    extraModels: [ProblemDto, OpenAiErrorDto, ...gatewaySchemas],
    operationIdFactory: (_controller, method) => method,
  });
  document.paths = { ...document.paths, ...describeGateway() };
  return addCommonResponses(document);
}

/** Adds what applies to every route, so that no route has to repeat it. */
function addCommonResponses(document: OpenAPIObject): OpenAPIObject {
  document.components = { ...document.components, headers: headerComponents };
  for (const { method, path, operation } of operationsOf(document)) {
    // Every route declares its access or nothing starts, and only a public one declares no credential.
    operation.security ??= [];
    if (operation.security.some((scheme) => 'jwt' in scheme)) addCommonErrors(operation, path, jwtErrors);
    addCommonErrors(operation, path, method === 'get' ? commonErrors : { ...commonErrors, ...bodyErrors });
    for (const response of Object.values(operation.responses)) {
      if (response !== undefined && !('$ref' in response))
        response.headers = { ...response.headers, ...requestIdHeader };
    }
    refuseUnknownFields(document, operation);
  }
  return document;
}

function addCommonErrors(operation: OperationObject, path: string, errors: Record<string, string>): void {
  const content = path.startsWith('/v1/') ? openAiErrorContent : problemContent;
  for (const [status, description] of Object.entries(errors)) {
    operation.responses[status] ??= { ...content, description };
  }
}

function operationsOf(document: OpenAPIObject) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    (['get', 'put', 'post', 'patch', 'delete'] as const).flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ method, path, operation }];
    }),
  );
}

/** JSON bodies with an unknown field get 400; unknown form fields are ignored. */
function refuseUnknownFields({ components }: OpenAPIObject, { requestBody }: OperationObject): void {
  if (requestBody === undefined || '$ref' in requestBody) return;
  for (const [type, { schema }] of Object.entries(requestBody.content)) {
    if (type === 'application/x-www-form-urlencoded') continue;
    const name = schema !== undefined && '$ref' in schema ? schema.$ref.split('/').at(-1) : undefined;
    const component = components?.schemas?.[name ?? ''];
    if (component !== undefined && !('$ref' in component)) component.additionalProperties = false;
  }
}

/** `/docs` for people, `/openapi.json` for programs; the document is made when it is first asked for. */
export function serveOpenApi(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => createOpenApiDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Keycard API',
  });
}
