import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ProblemDto } from './common/errors/problem.dto.js';

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
    .addTag('API keys', 'The keys of the current organization.')
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
  return SwaggerModule.createDocument(app, builder.build(), {
    extraModels: [ProblemDto],
    operationIdFactory: (_controller, method) => method,
  });
}

/** `/docs` for people, `/openapi.json` for programs; the document is made when it is first asked for. */
export function serveOpenApi(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => createOpenApiDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Keycard API',
  });
}
