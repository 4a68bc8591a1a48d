import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, type OperationObject, SwaggerModule } from '@nestjs/swagger';
import { describeGateway, gatewaySchemas } from './ai-gateway/openapi.js';
import { openAiErrorContent, problemContent } from './common/errors/api-errors.js';
import { OpenAiErrorDto } from './common/errors/openai-error.dto.js';
import { ProblemDto } from './common/errors/problem.dto.js';
import { headerComponents, requestIdHeader } from './common/http/api-headers.js';
import { version } from './common/package-info.js';

/** Errors of all routes. */
const commonErrors = {
  400: 'The request cannot be read.',
  408: 'The request was not received in time.',
  417: 'The `Expect` header is not supported.',
  431: 'The URL and headers are larger than 16 KB.',
};

/** Errors of requests that can have a body. */
const bodyErrors = {
  413: 'The body is larger than 100 KB.',
  415: 'The body is not JSON, or is compressed.',
};

/** Errors of requests with an access token of the identity provider. */
const jwtErrors = {
  403: "The identity provider hasn't verified the email, or the account isn't a member of any organization.",
};

/** Creates the OpenAPI document of the HTTP API. */
export function createOpenApiDocument(app: INestApplication): OpenAPIObject {
  const description = [
    'Issues API keys for an organization and authenticates requests to its AI endpoints.',
    '',
    'Management routes require a JWT from `POST /auth/sign-in`; `/v1/*` routes require an API key.',
  ].join('\n');
  const builder = new DocumentBuilder()
    .setTitle('Keycard')
    .setVersion(version)
    .setDescription(description)
    .setLicense('Proprietary', 'about:blank')
    .addServer('/', 'This server')
    .addTag('Sign-in', 'Sign in with a password or single sign-on.')
    .addTag('Sessions', 'Sessions of the signed-in user.')
    .addTag('API keys', 'API keys of the current organization.')
    .addTag('Models', 'Models and services that API keys can use.')
    .addTag('Usage', 'Requests, tokens and pages by API key.')
    .addTag('Organizations', 'Organizations of the signed-in user, and settings of the current one.')
    .addTag('Members', 'Members of the current organization, and invitations.')
    .addTag('Roles', 'Roles and permissions in the current organization.')
    .addTag('Audit', 'Audit log of the current organization.')
    .addTag('AI', 'OpenAI-compatible embeddings, Mistral-compatible OCR, and models.')
    .addTag('Services', 'Access to your own services with API keys.')
    .addTag('Health', 'Probes for load balancers and orchestrators.')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'For management routes.' },
      'jwt',
    )
    .addSecurity('apiKeyBearer', { type: 'http', scheme: 'bearer', description: 'An API key, for `/v1/*` routes.' })
    .addSecurity('apiKeyHeader', {
      type: 'apiKey',
      in: 'header',
      name: 'x-api-key',
      description: 'An API key, for `/v1/*` routes; takes precedence over `Authorization`.',
    });
  const document = SwaggerModule.createDocument(app, builder.build(), {
    extraModels: [ProblemDto, OpenAiErrorDto, ...gatewaySchemas],
    operationIdFactory: (_controller, method) => method,
  });
  document.paths = { ...document.paths, ...describeGateway() };
  return addCommonResponses(document);
}

/** Adds responses and headers that all routes share. */
function addCommonResponses(document: OpenAPIObject): OpenAPIObject {
  document.components = { ...document.components, headers: headerComponents };
  for (const { method, path, operation } of operationsOf(document)) {
    // Every route declares its access, or the app doesn't start; only public routes declare no credential.
    operation.security ??= [];
    if (operation.security.some((scheme) => 'jwt' in scheme)) addCommonErrors(operation, path, jwtErrors);
    const ignoresBody = method === 'get' || path === '/v1/authorize';
    addCommonErrors(operation, path, ignoresBody ? commonErrors : { ...commonErrors, ...bodyErrors });
    for (const response of Object.values(operation.responses)) {
      if (response !== undefined && !('$ref' in response))
        response.headers = { ...response.headers, ...requestIdHeader };
    }
    forbidUnknownFields(document, operation);
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
function forbidUnknownFields({ components }: OpenAPIObject, { requestBody }: OperationObject): void {
  if (requestBody === undefined || '$ref' in requestBody) return;
  for (const [type, { schema }] of Object.entries(requestBody.content)) {
    if (type === 'application/x-www-form-urlencoded') continue;
    const name = schema !== undefined && '$ref' in schema ? schema.$ref.split('/').at(-1) : undefined;
    const component = components?.schemas?.[name ?? ''];
    if (component !== undefined && !('$ref' in component)) component.additionalProperties = false;
  }
}

/** Serves `/docs` and `/openapi.json`; the document is created on the first request. */
export function serveOpenApi(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => createOpenApiDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Keycard API',
  });
}
