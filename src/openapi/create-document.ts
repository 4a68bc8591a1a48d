import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { describeGateway, routeGroups } from '../ai-gateway/tasks/tasks.js';
import { OAuthErrorDto } from '../common/errors/oauth-error.dto.js';
import { OpenAiErrorDto } from '../common/errors/openai-error.dto.js';
import { ProblemDto } from '../common/errors/problem.dto.js';
import { describeEvents } from '../events/describe-events.js';
import { version } from '../common/package-info.js';
import { leakedKeySchemas } from '../leaked-keys/dto/leaked-key.dto.js';
import { addCommonResponses } from './common-responses.js';
import { addErrorCodes } from './error-codes.js';
import { addExamples } from './examples.js';
import { introduction } from './introduction.js';
import { toJsonSchema2020 } from './json-schema.js';

/** Creates the OpenAPI 3.1 document of the HTTP API. */
export function createOpenApiDocument(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Keycard API')
    .setVersion(version)
    .setDescription(introduction)
    .setLicense('Proprietary', 'about:blank')
    .addServer('/', 'This server')
    .addTag(
      'AI',
      'Text generation in the formats of OpenAI and Anthropic, OpenAI-compatible embeddings, Mistral-compatible OCR, and models.',
    )
    .addTag('Sign-in', 'Sign in with a password or single sign-on.')
    .addTag('Sessions', 'Sessions of the signed-in user.')
    .addTag('API keys', 'API keys of the current organization.')
    .addTag('Leaked keys', 'Reports of API keys that were found in public.')
    .addTag('Models', 'Models and services that API keys can use.')
    .addTag('Usage', 'Requests, tokens and pages by API key.')
    .addTag('Organizations', 'Organizations of the signed-in user, and settings of the current one.')
    .addTag('Members', 'Members of the current organization, and invitations.')
    .addTag('Service accounts', 'Access of programs to the management routes of the current organization.')
    .addTag('Roles', 'Roles and permissions in the current organization.')
    .addTag('Webhooks', 'URLs that events of the current organization are sent to.')
    .addTag('Audit', 'Audit log of the current organization.')
    .addTag('Services', 'Access to your own services with API keys.')
    .addTag('Health', 'Probes for load balancers and orchestrators.')
    .addSecurity('ApiKey', {
      type: 'apiKey',
      in: 'header',
      name: 'x-api-key',
      description: 'An API key, for `/v1/*` routes. Takes precedence over `Authorization`.',
    })
    .addSecurity('ApiKeyAsBearer', {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key as `Authorization: Bearer`, for `/v1/*` routes.',
    })
    .addSecurity('AccessToken', {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The access token from `POST /auth/sign-in`, for management routes.',
    })
    .addSecurity('ServiceAccount', {
      type: 'oauth2',
      description: 'The access token of a service account from `POST /auth/token`, for management routes.',
      flows: { clientCredentials: { tokenUrl: '/auth/token', scopes: {} } },
    })
    .addSecurity('RefreshCookie', {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-keycard_refresh',
      description:
        'The cookie that signing in sets. Clients can neither read nor set it in a browser. On plain HTTP (loopback only), it is named `keycard_refresh`.',
    });
  const document = SwaggerModule.createDocument(app, builder.build(), {
    extraModels: [ProblemDto, OpenAiErrorDto, OAuthErrorDto, ...routeGroups.flatMap(({ schemas }) => schemas)],
    operationIdFactory: (_controller, method) => method,
  });
  document.info.contact = { name: 'Keycard' };
  document.paths = { ...document.paths, ...describeGateway() };
  // Copies, because the schemas of the document are rewritten below.
  const openSchemas = structuredClone([...routeGroups.map((group) => group.openSchemas), leakedKeySchemas]);
  for (const schemas of openSchemas) Object.assign(((document.components ??= {}).schemas ??= {}), schemas);
  addCommonResponses(document);
  addErrorCodes(document);
  addExamples(document);
  Object.assign(document, { webhooks: describeEvents() });
  return toJsonSchema2020(document);
}
