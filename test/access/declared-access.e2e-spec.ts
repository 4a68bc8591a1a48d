import { Controller, Get, Injectable, Module } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import {
  AccessCheckService,
  RegistersRoutes,
  type RouteAccess,
  type RouteRegistrar,
} from '../../src/access/access-check.service.js';
import { aiError } from '../setup/ai-error.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

/** The required access of each route. Review changes here as permission changes. */
const accessOfRoutes = {
  'DELETE /api-keys/:id/previous-secret': 'permission update-api-keys',
  'DELETE /api-keys/:id': 'permission delete-api-keys',
  'DELETE /auth/sessions': 'signed-in',
  'DELETE /auth/sessions/:id': 'signed-in',
  'DELETE /invitations/:id': 'permission delete-members',
  'DELETE /members/me': 'signed-in',
  'DELETE /members/:id': 'permission delete-members',
  'DELETE /organizations/current': 'permission delete-organization',
  'DELETE /roles/:id': 'permission delete-roles',
  'DELETE /service-accounts/:id/previous-secret': 'permission update-service-accounts',
  'DELETE /service-accounts/:id': 'permission delete-service-accounts',
  'DELETE /webhooks/:id': 'permission delete-webhooks',
  'GET /api-keys': 'permission get-api-keys',
  'GET /api-keys/:id': 'permission get-api-keys',
  'GET /api-keys/:id/failures': 'permission get-usage',
  'GET /api-keys/:id/requests': 'permission get-usage',
  'GET /api-keys/requests': 'permission get-usage',
  'GET /api-keys/tags': 'permission get-api-keys',
  'GET /audit-events': 'permission get-audit-events',
  'GET /audit-events/:id/proof': 'permission get-audit-events',
  'GET /audit-events/actors': 'permission get-audit-events',
  'GET /audit-events/api-keys': 'permission get-audit-events',
  'GET /audit-events/checkpoint': 'permission get-audit-events',
  'GET /audit-events/consistency-proof': 'permission get-audit-events',
  'GET /audit-events/export': 'permission get-audit-events',
  'GET /auth/me': 'signed-in',
  'GET /auth/methods': 'public',
  'GET /auth/oidc/callback': 'public',
  'GET /auth/oidc/start': 'public',
  'GET /auth/sessions': 'signed-in',
  'GET /event-types': 'signed-in or service account',
  'GET /health/live': 'public',
  'GET /health/ready': 'public',
  'GET /invitations': 'permission get-members',
  'GET /members': 'permission get-members',
  'GET /models': 'signed-in or service account',
  'GET /organizations': 'signed-in',
  'GET /organizations/current': 'signed-in or service account',
  'GET /overview': 'signed-in or service account',
  'GET /people/:id': 'permission get-members',
  'GET /people/:id/sessions': 'permission get-audit-events',
  'GET /people/former': 'permission get-members',
  'GET /permissions': 'signed-in or service account',
  'GET /roles': 'permission get-roles',
  'GET /service-accounts': 'permission get-service-accounts',
  'GET /service-accounts/:id': 'permission get-service-accounts',
  'GET /usage': 'permission get-usage',
  'GET /usage/export': 'permission get-usage',
  'GET /usage/failures': 'permission get-usage',
  'GET /v1/authorize': 'api-key',
  'GET /v1/key': 'api-key',
  'GET /v1/models': 'api-key',
  'GET /v1/models/:model': 'api-key',
  'GET /webhooks': 'permission get-webhooks',
  'GET /webhooks/:id': 'permission get-webhooks',
  'GET /webhooks/:id/deliveries': 'permission get-webhooks',
  'PATCH /api-keys/:id': 'permission update-api-keys',
  'PATCH /auth/me': 'signed-in',
  'PATCH /members/:id': 'permission update-members',
  'PATCH /organizations/current': 'permission update-organization',
  'PATCH /roles/:id': 'permission update-roles',
  'PATCH /service-accounts/:id': 'permission update-service-accounts',
  'PATCH /webhooks/:id': 'permission update-webhooks',
  'POST /api-keys': 'permission create-api-keys',
  'POST /api-keys/bulk-delete': 'permission delete-api-keys',
  'POST /api-keys/bulk-rotate': 'permission update-api-keys',
  'POST /api-keys/bulk-update': 'permission update-api-keys',
  'POST /api-keys/:id/report-leak': 'permission update-api-keys',
  'POST /api-keys/:id/rotate': 'permission update-api-keys',
  'POST /auth/accept-invitation': 'public',
  'POST /auth/change-password': 'signed-in',
  'POST /auth/oidc/backchannel-logout': 'public',
  'POST /auth/oidc/start-invitation': 'public',
  'POST /auth/preview-invitation': 'public',
  'POST /auth/refresh': 'public',
  'POST /auth/request-password-reset': 'public',
  'POST /auth/reset-password': 'public',
  'POST /auth/sign-in': 'public',
  'POST /auth/sign-out': 'public',
  'POST /auth/switch-organization': 'signed-in',
  'POST /auth/token': 'public',
  'POST /leaked-keys': 'public',
  'POST /members': 'permission create-members',
  'POST /organizations': 'signed-in',
  'POST /roles': 'permission create-roles',
  'POST /service-accounts': 'permission create-service-accounts',
  'POST /service-accounts/:id/rotate': 'permission update-service-accounts',
  'POST /v1/authorize': 'api-key',
  'POST /v1/chat/completions': 'api-key',
  'POST /v1/completions': 'api-key',
  'POST /v1/embeddings': 'api-key',
  'POST /v1/messages': 'api-key',
  'POST /v1/messages/count_tokens': 'api-key',
  'POST /v1/ocr': 'api-key',
  'POST /v1/ocr/upload': 'api-key',
  'POST /v1/responses': 'api-key',
  'POST /webhooks': 'permission create-webhooks',
  'POST /webhooks/:id/deliveries/:deliveryId/redeliver': 'permission update-webhooks',
  'POST /webhooks/:id/rotate': 'permission update-webhooks',
  'POST /webhooks/:id/test': 'permission update-webhooks',
};

/** Public routes outside the controllers: the API description and its page. */
const descriptionRoutes = /^(GET|HEAD) \/(openapi\.json|docs(\/.*)?)$/;

/** Parses Fastify's route tree, indented by four characters per level, into `METHOD path`. */
function parseRouteTree(tree: string): string[] {
  const parents: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent, segment, methods] = /^(.*?[├└]── )(\S+)(?: \((.*)\))?$/.exec(line) ?? [];
    if (indent === undefined || segment === undefined) return [];
    parents.length = indent.length / 4 - 1;
    parents.push(segment);
    return (methods ?? '').split(', ').map((method) => `${method} ${parents.join('')}`);
  });
}

describe('Declared access', () => {
  const service = useTestApp();

  const describeAccess = ({ access }: RouteAccess) => {
    if (access?.kind === 'permission') return `permission ${access.permission}`;
    return access?.kind === 'signed-in' && access.serviceAccounts === true
      ? 'signed-in or service account'
      : access?.kind;
  };

  const servedRoutes = () => {
    const fastify: FastifyInstance = service.app.getHttpAdapter().getInstance();
    return parseRouteTree(fastify.printRoutes({ commonPrefix: false }));
  };

  it('should match the table above for every route', () => {
    const routes = service.app.get(AccessCheckService).routes();
    const actual = Object.fromEntries(routes.map((route) => [route.route, describeAccess(route)]));
    expect(actual).toEqual(accessOfRoutes);
  });

  it('should cover every route except the API description', () => {
    expect(servedRoutes()).toContain('DELETE /api-keys/:id');
    const routes = servedRoutes().filter((route) => !(route.replace(/^HEAD /, 'GET ') in accessOfRoutes));
    expect(routes.filter((route) => !descriptionRoutes.test(route))).toEqual([]);
  });

  it.each(Object.entries(accessOfRoutes).filter(([, access]) => access !== 'public'))(
    'should return 401 from %s (%s) without credentials',
    async (route) => {
      const response = await call(service.url, route.replaceAll(/:\w+/g, 'some-id'));
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="keycard"');
    },
  );

  it.each(['HEAD /api-keys', 'HEAD /v1/models', 'HEAD /auth/me'])(
    'should return 401 from %s, like GET',
    async (route) => {
      expect((await call(service.url, route)).status).toBe(401);
    },
  );

  it("should return 404 from unknown routes, with OpenAI's envelope under /v1", async () => {
    const management = await call(service.url, 'GET /nothing');
    expect(management.status).toBe(404);
    expect(management.body).toMatchObject({ code: 'route-not-found', type: 'urn:keycard:error:route-not-found' });
    const ai = await call(service.url, 'POST /v1/nothing', { body: {} });
    expect(ai.status).toBe(404);
    expect(ai.body).toEqual(
      aiError({ message: expect.any(String) as string, type: 'invalid_request_error', param: null, code: null }),
    );
  });

  it.each([
    ['POST /embeddings', 'POST /v1/embeddings'],
    ['POST /v1/v1/ocr', 'POST /v1/ocr'],
    ['GET /v1/v1/models?limit=1', 'GET /v1/models'],
  ])('should say that the base URL may be wrong if %s is requested', async (sent, meant) => {
    const { status, body } = await call(service.url, sent, { body: sent.startsWith('POST') ? {} : undefined });
    expect(status).toBe(404);
    expect(JSON.stringify(body)).toContain(`Check the base URL of the client: ${meant} exists.`);
  });

  it('should not blame the base URL for other unknown routes', async () => {
    for (const path of ['/v1/v1/nothing', '/embeddings/(', '/']) {
      const { body } = await call(service.url, `POST ${path}`, { body: {} });
      expect(JSON.stringify(body)).not.toContain('base URL');
    }
  });
});

describe('A route without declared access', () => {
  @Controller('forgotten')
  class ForgottenController {
    @Get('thing')
    getThing(): string {
      return 'open to all';
    }
  }

  @Module({ imports: [DiscoveryModule], controllers: [ForgottenController], providers: [AccessCheckService] })
  class ForgottenModule {}

  @RegistersRoutes()
  @Injectable()
  class ForgottenRegistrar implements RouteRegistrar {
    declaredRoutes(): RouteAccess[] {
      return [{ route: 'POST /forgotten/direct', access: undefined, handler: () => 'open to all' }];
    }
  }

  @Module({ imports: [DiscoveryModule], providers: [AccessCheckService, ForgottenRegistrar] })
  class ForgottenRegistrarModule {}

  it.each([
    ['of a controller', ForgottenModule, 'GET /forgotten/thing'],
    ['registered on Fastify itself', ForgottenRegistrarModule, 'POST /forgotten/direct'],
  ])('should prevent the app from starting and be named in the error: %s', async (_title, module, route) => {
    const app = await NestFactory.create(module, new FastifyAdapter({ skipMiddie: true }), {
      logger: false,
      abortOnError: false,
    });
    await expect(app.init()).rejects.toThrow(route);
    await app.close();
  });
});
