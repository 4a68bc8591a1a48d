import type { Provider, Type } from '@nestjs/common';
import type { OpenAPIObject, SchemaObject } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Model } from './models/model.js';
import type { ModelEngineDto } from './models/served-model.dto.js';

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
  readonly maxBodyBytes?: number;
  readonly contentTypes?: readonly ('application/json' | 'multipart/form-data')[];
  /** Serves requests with any body, which stays unread. */
  readonly ignoresBody?: boolean;
  /** Forbids caches to store responses, errors included. */
  readonly noStore?: boolean;
  /** What its requests use in addition to the request count. */
  readonly uses?: 'tokens' | 'pages';
  /** Whether its handler needs the name of the API key. */
  readonly needsKeyName?: boolean;
  /** Returns the body of the response. `request.body` is a `BodyReader`, or undefined without a body. */
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => unknown;
}

/** Serves routes under `/v1`. */
export interface RouteProvider {
  routes(): readonly GatewayRoute[];
}

/** The content type of responses that a handler returns as JSON text. */
export const jsonText = 'application/json; charset=utf-8';

/** Routes under `/v1` that belong together, and all that others need to know of them. */
export interface RouteGroup {
  readonly routes: Type<RouteProvider>;
  /** Further providers, for Nest's dependency injection. */
  readonly providers?: readonly Provider[];
  /** DTOs whose schemas `paths` refers to. */
  readonly schemas: readonly Type[];
  /** Further schemas, by name: of objects to which others add fields. */
  readonly openSchemas?: Readonly<Record<string, SchemaObject>>;
  /** OpenAPI of the routes: a new object each time, because the document adds what applies to all routes. */
  readonly paths: () => OpenAPIObject['paths'];
  /** Response headers that scripts of other origins may read. */
  readonly exposedHeaders?: readonly string[];
  /** The limits of a model that an engine runs; undefined if other routes serve it. */
  readonly engineLimits?: (model: Model) => Partial<ModelEngineDto> | undefined;
}
