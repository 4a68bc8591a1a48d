import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { RegistersRoutes, type RouteAccess, type RouteRegistrar } from '../access/access-check.service.js';
import type { Access } from '../access/declare-access.js';
import { ApiKeyStrategy } from '../api-keys/api-key.strategy.js';
import { AppError, unauthenticated } from '../common/errors/app-error.js';
import { ClientGoneError } from '../common/errors/client-gone-error.js';
import { toAppError, unsupportedMediaType } from '../common/errors/to-app-error.js';
import { openBody } from '../common/http/body-reader.js';
import { defaultHttpLimits } from '../common/http/http-limits.js';
import { defaultCurrency, ServiceConfig } from '../config/service-config.js';
import { arrivalNeed, LimitErrors } from '../limits/limit-exceeded.js';
import { rateLimitHeaders } from '../limits/rate-limit-headers.js';
import { ReservationsService } from '../limits/reservations.service.js';
import { ModelPrices } from '../usage/cost/model-prices.js';
import { FailureRecorderService } from '../usage/failures/failure-recorder.service.js';
import { RequestLogService } from '../usage/requests/request-log.service.js';
import { UsageRecorderService } from '../usage/usage-recorder.service.js';
import { ResponseMeter } from './metering.js';
import { recordFailures } from './record-failures.js';
import type { GatewayRoute, RouteProvider } from './route-group.js';

/** Token of all `RouteProvider`s. */
export const routeProviders = Symbol('Route providers');

/** The pipeline authenticates every route in the same way. */
const access: Access = { kind: 'api-key', isCharged: true };
const parsedTypes = ['application/json', 'multipart/form-data', 'application/x-www-form-urlencoded'];

/**
 * Everything that happens to a request under `/v1`, in order. Fastify serves these routes itself: Nest's router, guards
 * and interceptors would take longer than all the steps together.
 */
@RegistersRoutes()
@Injectable()
export class Pipeline implements RouteRegistrar {
  constructor(
    private readonly strategy: ApiKeyStrategy,
    private readonly recorder: UsageRecorderService,
    private readonly reservations: ReservationsService,
    private readonly failures: FailureRecorderService,
    private readonly requests: RequestLogService,
    private readonly prices: ModelPrices,
    @Inject(routeProviders) private readonly providers: readonly RouteProvider[],
    @Inject(ServiceConfig) private readonly config: Pick<ServiceConfig, 'http' | 'currency'>,
  ) {}

  /** Adds routes in a separate scope, so that each of them takes every step. Call it before the server listens. */
  register(fastify: FastifyInstance, logger: Logger, routes = this.routes()): void {
    void fastify.register((scope, _options, done) => {
      const { recorder, reservations, failures, requests, prices } = this;
      const meter = new ResponseMeter({ recorder, reservations, failures, requests, prices, logger });
      // 1. The request gets its id, and URL and headers are checked, as for all routes: common/http/request-hooks.ts. From
      // here on, the client may disconnect at any time.
      meter.watchConnections(scope);
      // 2. The API key becomes the principal, before the body is read.
      this.authenticate(scope, meter);
      // 3. Requests that exceed a limit are rejected, and those whose usage can't be recorded now.
      this.admit(scope);
      // 4. The body is opened. The route reads as much as it needs.
      this.openBodies(scope);
      // 5. The route finds the model, reserves what the request can use, and has an engine or an upstream serve it.
      this.handle(scope, routes);
      // 6. Usage is in the database before the response ends.
      meter.recordBeforeEnd(scope);
      recordFailures(scope, failures);
      // 7. One line is logged when the response was sent or its client has disconnected: common/http/request-hooks.ts.
      done();
    });
  }

  declaredRoutes(): RouteAccess[] {
    return this.routes().map(({ method, url, handler }) => ({ route: `${method} ${url}`, access, handler }));
  }

  private routes(): readonly GatewayRoute[] {
    return this.providers.flatMap((provider) => provider.routes());
  }

  /** Going through passport would cost more than this. */
  private authenticate(scope: FastifyInstance, meter: ResponseMeter): void {
    scope.addHook('onRequest', (request, reply, done) => {
      const span = request.trace?.startSpan('verify API key', 'internal');
      this.strategy.validate(request).then(
        (principal) => {
          request.principal = principal;
          span?.end();
          if (!reply.raw.destroyed) return done();
          // It has left before there was anything to end.
          meter.finish(request, reply);
          done(new ClientGoneError());
        },
        (error: Error) => {
          span?.end({}, toAppError(error).code);
          done(error);
        },
      );
    });
  }

  /** Limits on tokens and pages must have something left. What a request can use is reserved by its handler. */
  private admit(scope: FastifyInstance): void {
    scope.addHook('onRequest', (request, reply, done) => {
      const { admission } = request;
      if (admission === undefined) return done(this.recorder.refusal);
      if (admission.isAdmitted) {
        const { refusal } = this.recorder;
        if (refusal === undefined) {
          this.reservations.track(admission);
          return done();
        }
        void reply.headers(rateLimitHeaders(admission));
        // What can't be recorded can't be given back either: what the request holds expires.
        request.admission = undefined;
        return done(refusal);
      }
      request.usage = { model: '', isLimited: true };
      const { currency = defaultCurrency } = this.config;
      const errors = new LimitErrors(admission, arrivalNeed(request.routeOptions.config.uses), currency);
      done(
        errors.exceeded() ??
          unauthenticated('invalid-credential', 'The API key is unknown, expired, revoked or deleted.'),
      );
    });
  }

  /** `request.body` becomes a `BodyReader`. */
  private openBodies(scope: FastifyInstance): void {
    const { bodyIdleMilliseconds: idleMilliseconds } = { ...defaultHttpLimits, ...this.config.http };
    scope.removeAllContentTypeParsers();
    for (const type of parsedTypes) {
      scope.addContentTypeParser(type, (request, body, done) => {
        const { bodyLimit, config } = request.routeOptions;
        const reader = openBody(request.headers, body, { maxBytes: bodyLimit, idleMilliseconds });
        if (config.contentTypes?.includes(type)) done(null, reader);
        else done(new AppError('unsupported-media-type', unsupportedMediaType));
      });
    }
  }

  private handle(scope: FastifyInstance, routes: readonly GatewayRoute[]): void {
    for (const {
      method,
      url,
      maxBodyBytes,
      contentTypes,
      uses,
      needsKeyName,
      ignoresBody,
      noStore,
      handler,
    } of routes) {
      void scope.register((own, _options, done) => {
        if (ignoresBody) ignoreBodies(own);
        if (noStore) forbidCaching(own);
        own.route({
          method,
          url,
          bodyLimit: maxBodyBytes,
          config: { access, contentTypes, uses, needsKeyName },
          handler,
        });
        done();
      });
    }
  }
}

function ignoreBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
  scope.addHook('onRequest', ({ raw }, _reply, done) => {
    // Fastify would reject a malformed one.
    delete raw.headers['content-type'];
    done();
  });
}

function forbidCaching(scope: FastifyInstance): void {
  scope.addHook('onSend', (_request, reply, payload, done) => {
    void reply.header('cache-control', 'no-store');
    done(null, payload);
  });
}
