import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { RegistersRoutes, type RouteAccess, type RouteRegistrar } from '../access/access-check.service.js';
import type { Access } from '../access/declare-access.js';
import { ApiKeyStrategy } from '../api-keys/api-key.strategy.js';
import { AppError, unauthenticated } from '../common/errors/app-error.js';
import { ClientGoneError } from '../common/errors/client-gone-error.js';
import { toAppError, unsupportedMediaType } from '../common/errors/to-app-error.js';
import { openBody } from '../common/http/body-reader.js';
import { defaultHttpLimits } from '../common/http/http-limits.js';
import { ServiceConfig } from '../config/service-config.js';
import { arrivalNeed, limitExceeded } from '../limits/limit-exceeded.js';
import type { MeteredMetric } from '../limits/admission.js';
import { rateLimitHeaders } from '../limits/rate-limit-headers.js';
import { ReservationsService } from '../limits/reservations.service.js';
import { FailureRecorderService } from '../usage/failures/failure-recorder.service.js';
import { UsageRecorderService } from '../usage/usage-recorder.service.js';
import { AuthorizeService } from './tasks/authorize/authorize.service.js';
import { EmbeddingsService } from './tasks/embeddings/embeddings.service.js';
import { meterResponses } from './metering.js';
import { type ModelDto, type ModelListDto, toModelDto } from './models/model.dto.js';
import { ModelCatalogueService } from './models/model-catalogue.service.js';
import { maxBodyBytes } from './tasks/ocr/body/document-limit.js';
import { OcrService } from './tasks/ocr/ocr.service.js';
import { recordFailures } from './record-failures.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Content types of the bodies that a route under `/v1` takes. */
    contentTypes?: readonly string[];
  }
}

/** What is special about a route under `/v1`. */
export interface GatewayRoute {
  readonly method: 'GET' | 'POST';
  /** Such as `/v1/models/:model`. */
  readonly url: string;
  readonly bodyLimitBytes?: number;
  readonly contentTypes?: readonly ('application/json' | 'multipart/form-data')[];
  /** Serves requests with any body, which stays unread. */
  readonly ignoresBody?: boolean;
  /** Forbids caches to store responses, errors included. */
  readonly noStore?: boolean;
  /** What its requests use in addition to the request count. */
  readonly uses?: MeteredMetric;
  /** Whether its handler needs the name of the API key. */
  readonly needsKeyName?: boolean;
  /** Returns the body of the response. `request.body` is a `BodyReader`, or undefined without a body. */
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => unknown;
}

/** The pipeline authenticates every route in the same way. */
const access: Access = { kind: 'api-key', isCharged: true };
const parsedTypes = ['application/json', 'multipart/form-data', 'application/x-www-form-urlencoded'];
const maxEmbeddingsBodyBytes = 10 * 1024 * 1024;
/** The content type of responses that a handler returns as JSON text. */
const json = 'application/json; charset=utf-8';

/**
 * Everything that happens to a request under `/v1`, in order. Fastify serves these routes itself: Nest's router, guards
 * and interceptors would take longer than all the steps together. openapi.ts describes the routes.
 */
@RegistersRoutes()
@Injectable()
export class Pipeline implements RouteRegistrar {
  constructor(
    private readonly strategy: ApiKeyStrategy,
    private readonly recorder: UsageRecorderService,
    private readonly reservations: ReservationsService,
    private readonly failures: FailureRecorderService,
    private readonly catalogue: ModelCatalogueService,
    private readonly authorization: AuthorizeService,
    private readonly embeddings: EmbeddingsService,
    private readonly ocr: OcrService,
    @Inject(ServiceConfig) private readonly config: Pick<ServiceConfig, 'http'>,
  ) {}

  /** Adds routes in a separate scope, so that each of them takes every step. Call it before the server listens. */
  register(fastify: FastifyInstance, logger: Logger, routes = this.routes()): void {
    void fastify.register((scope, _options, done) => {
      // 1. Request id, security headers, and checks of URL and headers are the same for all routes: app.setup.ts.
      // 6. Usage is in the database before the response ends. First of all, because the client may disconnect at any time.
      const { recorder, reservations, failures } = this;
      meterResponses(scope, { recorder, reservations, failures, logger });
      this.authenticate(scope);
      this.admit(scope);
      this.openBodies(scope);
      this.handle(scope, routes);
      recordFailures(scope, failures);
      // 7. One line is logged when the response was sent or its client has disconnected: app.setup.ts.
      done();
    });
  }

  declaredRoutes(): RouteAccess[] {
    return this.routes().map(({ method, url, handler }) => ({ route: `${method} ${url}`, access, handler }));
  }

  /** 2. The API key becomes the principal, before the body is read. Going through passport would cost more than this. */
  private authenticate(scope: FastifyInstance): void {
    scope.addHook('onRequest', (request, reply, done) => {
      const span = request.trace?.startSpan('verify API key', 'internal');
      this.strategy.validate(request).then(
        (principal) => {
          request.principal = principal;
          span?.end();
          if (!reply.raw.destroyed) return done();
          request.admission?.end();
          done(new ClientGoneError());
        },
        (error: Error) => {
          span?.end({}, toAppError(error).code);
          done(error);
        },
      );
    });
  }

  /**
   * 3. Requests that exceed a limit are rejected, and those whose usage can't be recorded now. Handlers reserve what a
   * request will use, once its body and model are known.
   */
  private admit(scope: FastifyInstance): void {
    scope.addHook('onRequest', (request, reply, done) => {
      const { admission } = request;
      if (admission === undefined) return done(this.recorder.refusal);
      void reply.headers(rateLimitHeaders(admission));
      if (admission.isAdmitted) {
        const { refusal } = this.recorder;
        // What can't be recorded can't be given back either.
        if (refusal !== undefined) request.admission = undefined;
        return done(refusal);
      }
      request.usage = { model: '', isLimited: true };
      done(
        limitExceeded(admission, arrivalNeed(request.routeOptions.config.uses)) ??
          unauthenticated('invalid-credential', 'The API key is unknown, expired, revoked or deleted.'),
      );
    });
  }

  /** 4. `request.body` becomes a `BodyReader`; the route reads as much as it needs. */
  private openBodies(scope: FastifyInstance): void {
    const { bodyIdleMilliseconds: idleMilliseconds } = { ...defaultHttpLimits, ...this.config.http };
    scope.removeAllContentTypeParsers();
    for (const type of parsedTypes) {
      scope.addContentTypeParser(type, (request, body, done) => {
        const { bodyLimit, config } = request.routeOptions;
        const reader = openBody(request.headers, body, { limitBytes: bodyLimit, idleMilliseconds });
        if (config.contentTypes?.includes(type)) done(null, reader);
        else done(new AppError('unsupported-media-type', unsupportedMediaType));
      });
    }
  }

  /** 5. The handler finds the model, and has the request served by its engine or an upstream. */
  private handle(scope: FastifyInstance, routes: readonly GatewayRoute[]): void {
    for (const {
      method,
      url,
      bodyLimitBytes,
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
          bodyLimit: bodyLimitBytes,
          config: { access, contentTypes, uses, needsKeyName },
          handler,
        });
        done();
      });
    }
  }

  private routes(): readonly GatewayRoute[] {
    const authorize = {
      url: '/v1/authorize',
      ignoresBody: true,
      needsKeyName: true,
      noStore: true,
      handler: (request: FastifyRequest, reply: FastifyReply) => this.authorization.authorize(request, reply),
    };
    return [
      { method: 'GET', ...authorize },
      { method: 'POST', ...authorize },
      { method: 'GET', url: '/v1/models', handler: (request) => this.listModels(request) },
      { method: 'GET', url: '/v1/models/:model', handler: (request) => this.getModel(request) },
      {
        method: 'POST',
        url: '/v1/embeddings',
        bodyLimitBytes: maxEmbeddingsBodyBytes,
        contentTypes: ['application/json'],
        uses: 'tokens',
        handler: (request, reply) => this.embeddings.createEmbeddings(request, reply.type(json)),
      },
      {
        method: 'POST',
        url: '/v1/ocr',
        bodyLimitBytes: maxBodyBytes,
        contentTypes: ['application/json', 'multipart/form-data'],
        uses: 'pages',
        handler: (request, reply) => this.ocr.readDocument(request, reply.type(json)),
      },
      {
        method: 'POST',
        url: '/v1/ocr/upload',
        bodyLimitBytes: maxBodyBytes,
        contentTypes: ['multipart/form-data'],
        uses: 'pages',
        handler: (request, reply) => this.ocr.uploadDocument(request, reply.type(json)),
      },
    ];
  }

  private listModels({ principal }: FastifyRequest): ModelListDto {
    return { object: 'list', data: this.catalogue.list(principal).map(({ name, model }) => toModelDto(name, model)) };
  }

  private getModel(request: FastifyRequest): ModelDto {
    const { model } = request.params as { model: string };
    request.requestedModel = model;
    return toModelDto(model, this.catalogue.get(model, request.principal));
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
