import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RegistersRoutes, type RouteAccess, type RouteRegistrar } from '../access/access-check.service.js';
import type { Access } from '../access/declare-access.js';
import { EmbeddingsService } from './embeddings/embeddings.service.js';
import { ModelCatalogueService } from './models/model-catalogue.service.js';
import { type ModelDto, type ModelListDto, toModelDto } from './models/model.dto.js';
import { largestBodyBytes } from './ocr/body/document-limit.js';
import { OcrService } from './ocr/ocr.service.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Content types of the bodies that a route under `/v1` takes. */
    contentTypes?: readonly string[];
  }
}

/** The pipeline authenticates every route in the same way. */
export const gatewayAccess: Access = { kind: 'api-key' };

/** What is special about a route under `/v1`. */
export interface GatewayRoute {
  readonly method: 'GET' | 'POST';
  /** Such as `/v1/models/:model`. */
  readonly url: string;
  readonly bodyLimitBytes?: number;
  readonly contentTypes?: readonly ('application/json' | 'multipart/form-data')[];
  /** Returns the body of the response. `request.body` is a `BodyReader`, or undefined without a body. */
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => unknown;
}

const largestEmbeddingsBodyBytes = 10 * 1024 * 1024;

/** The routes under `/v1`. openapi.ts describes them. */
@RegistersRoutes()
@Injectable()
export class GatewayRoutes implements RouteRegistrar {
  constructor(
    private readonly catalogue: ModelCatalogueService,
    private readonly embeddings: EmbeddingsService,
    private readonly ocr: OcrService,
  ) {}

  list(): GatewayRoute[] {
    return [
      { method: 'GET', url: '/v1/models', handler: () => this.listModels() },
      { method: 'GET', url: '/v1/models/:model', handler: ({ params }) => this.getModel(params as { model: string }) },
      {
        method: 'POST',
        url: '/v1/embeddings',
        bodyLimitBytes: largestEmbeddingsBodyBytes,
        contentTypes: ['application/json'],
        handler: (request, reply) => this.createEmbeddings(request, reply),
      },
      {
        method: 'POST',
        url: '/v1/ocr',
        bodyLimitBytes: largestBodyBytes,
        contentTypes: ['application/json', 'multipart/form-data'],
        handler: (request, reply) => this.readDocument(request, reply),
      },
    ];
  }

  declaredRoutes(): RouteAccess[] {
    return this.list().map(({ method, url, handler }) => ({
      route: `${method} ${url}`,
      access: gatewayAccess,
      handler,
    }));
  }

  private listModels(): ModelListDto {
    return { object: 'list', data: this.catalogue.list().map(({ name, model }) => toModelDto(name, model)) };
  }

  private getModel({ model }: { model: string }): ModelDto {
    return toModelDto(model, this.catalogue.get(model));
  }

  private createEmbeddings(request: FastifyRequest, reply: FastifyReply): Promise<string | Buffer | Readable> {
    return this.embeddings.createEmbeddings(request, reply.type(json));
  }

  private readDocument(request: FastifyRequest, reply: FastifyReply): Promise<string | Buffer | Readable> {
    return this.ocr.readDocument(request, reply.type(json));
  }
}

/** These handlers return JSON that is already written. */
const json = 'application/json; charset=utf-8';

const prefix = '/v1/models/';

/**
 * The URL of a model with its name as one segment of the path. Names such as `org/name` hold slashes, which some
 * clients send as they are and others as `%2F`; the router takes the second form.
 */
export function withModelAsOneSegment(url: string): string {
  if (!url.startsWith(prefix)) return url;
  const end = url.indexOf('?');
  const name = url.slice(prefix.length, end === -1 ? undefined : end);
  return prefix + name.replaceAll('/', '%2F') + (end === -1 ? '' : url.slice(end));
}
