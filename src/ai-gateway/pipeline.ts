import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { ApiKeyStrategy } from '../api-keys/api-key.strategy.js';
import { AppError } from '../common/errors/app-error.js';
import { unsupportedMediaType } from '../common/errors/to-app-error.js';
import { openBody } from '../common/http/body-reader.js';
import { defaultHttpLimits } from '../common/http/http-limits.js';
import { ServiceConfig } from '../config/service-config.js';
import { UsageRecorderService } from '../usage/usage-recorder.service.js';
import { meterResponses } from './metering.js';
import { gatewayAccess, type GatewayRoute, GatewayRoutes } from './routes.js';

const parsedTypes = ['application/json', 'multipart/form-data', 'application/x-www-form-urlencoded'];

/**
 * Everything that happens to a request under `/v1`, in order. Fastify serves these routes itself: Nest's router, guards
 * and interceptors would take longer than all the steps together.
 */
@Injectable()
export class Pipeline {
  constructor(
    private readonly strategy: ApiKeyStrategy,
    private readonly recorder: UsageRecorderService,
    private readonly routes: GatewayRoutes,
    @Inject(ServiceConfig) private readonly config: Pick<ServiceConfig, 'http'>,
  ) {}

  /** Adds routes in a scope of their own, so that each of them takes every step. Call it before the server listens. */
  register(fastify: FastifyInstance, logger: Logger, routes: readonly GatewayRoute[] = this.routes.list()): void {
    void fastify.register((scope, _options, done) => {
      // 1. Request id, security headers, and checks of URL and headers are the same for all routes: app.setup.ts.
      this.authenticate(scope);
      this.admit(scope);
      this.openBodies(scope);
      this.route(scope, routes);
      // 6. Usage is in the database before the response ends.
      meterResponses(scope, this.recorder, logger);
      // 7. One line is logged when the response was sent or its client has disconnected: app.setup.ts.
      done();
    });
  }

  /** 2. The API key becomes the principal, before the body is read. Going through passport would cost more than this. */
  private authenticate(scope: FastifyInstance): void {
    scope.addHook('onRequest', (request, _reply, done) => {
      this.strategy.validate(request).then((principal) => {
        request.principal = principal;
        done();
      }, done);
    });
  }

  /** 3. Requests whose usage can't be recorded now are rejected. */
  private admit(scope: FastifyInstance): void {
    scope.addHook('onRequest', (_request, _reply, done) => done(this.recorder.refusal));
  }

  /** 4. `request.body` becomes a `BodyReader`; the route reads as much as it needs. */
  private openBodies(scope: FastifyInstance): void {
    const { bodyIdleMilliseconds } = { ...defaultHttpLimits, ...this.config.http };
    scope.removeAllContentTypeParsers();
    for (const type of parsedTypes) {
      scope.addContentTypeParser(type, (request, body, done) => {
        const { bodyLimit, config } = request.routeOptions;
        const reader = openBody(request.headers, body, {
          limitBytes: bodyLimit,
          idleMilliseconds: bodyIdleMilliseconds,
        });
        if (config.contentTypes?.includes(type)) done(null, reader);
        else done(new AppError('unsupported-media-type', unsupportedMediaType));
      });
    }
  }

  /** 5. The handler finds the model, and has the request served by its engine or an upstream. */
  private route(scope: FastifyInstance, routes: readonly GatewayRoute[]): void {
    for (const { method, url, bodyLimitBytes, contentTypes, handler } of routes) {
      scope.route({ method, url, bodyLimit: bodyLimitBytes, config: { access: gatewayAccess, contentTypes }, handler });
    }
  }
}
