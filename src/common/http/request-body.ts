import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.js';
import { errorCode } from '../errors/error-facts.js';
import { unsupportedMediaType } from '../errors/to-app-error.js';
import { bodyTooLarge, readBody } from './read-body.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Content types whose body the handler reads by itself: `request.body` is the stream, not yet read. */
    streamedContentTypes?: readonly string[];
  }
}

type ContentTypeParser = (request: FastifyRequest, body: IncomingMessage) => Promise<unknown>;

/**
 * Reads JSON bodies, and only these; another content type is a 415. Routes that declare it get their body as a
 * stream instead. An empty body is no body, since many clients send the content type with every DELETE.
 * `__proto__` and `constructor.prototype` are refused.
 */
export function readRequestBodies(fastify: FastifyInstance): void {
  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  const readJson: ContentTypeParser = async (request, body) => {
    const text = (await readBody(body, request.routeOptions.bodyLimit)).toString('utf8');
    if (text === '') return undefined;
    return new Promise((resolve, reject) => {
      void parseJson(request, text, (error, value) => {
        if (error) reject(new AppError('malformed-request', 'The body is not valid JSON.', { cause: error }));
        else resolve(value);
      });
    });
  };
  const refuse: ContentTypeParser = () => {
    throw new AppError('unsupported-media-type', unsupportedMediaType);
  };
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', streamOr('application/json', readJson));
  fastify.addContentTypeParser('multipart/form-data', streamOr('multipart/form-data', refuse));
}

function streamOr(contentType: string, otherwise: ContentTypeParser): ContentTypeParser {
  return async (request, body) => {
    const { bodyLimit, config } = request.routeOptions;
    if (Number(request.headers['content-length']) > bodyLimit) throw bodyTooLarge(bodyLimit);
    if (config.streamedContentTypes?.includes(contentType)) return body;
    try {
      return await otherwise(request, body);
    } catch (error) {
      if (errorCode(error) === 'ECONNRESET') throw new AppError('malformed-request', 'The body was cut off.');
      throw error;
    }
  };
}
