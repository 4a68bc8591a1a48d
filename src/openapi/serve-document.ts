import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { type CompressedText, compressText, sendCompressed } from '../common/http/compressed-text.js';
import { createOpenApiDocument } from './create-document.js';

/**
 * Serves `/openapi.json`. The document is created at its first use.
 *
 * @returns the document, for `/docs`
 */
export function serveOpenApi(app: INestApplication, fastify: FastifyInstance): () => OpenAPIObject {
  let document: OpenAPIObject | undefined;
  let text: CompressedText | undefined;
  const describe = () => (document ??= createOpenApiDocument(app));
  fastify.get('/openapi.json', (request, reply) => {
    text ??= compressText(JSON.stringify(describe()));
    return sendCompressed(request, reply.type('application/json; charset=utf-8'), text);
  });
  return describe;
}
