import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors/app-error.js';

/**
 * Reads JSON bodies, and only these; another content type is a 415. An empty body is no body, since many
 * clients send the content type with every DELETE. `__proto__` and `constructor.prototype` are refused.
 */
export function readJsonBodies(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text: string, done) => {
    if (text === '') {
      done(null, undefined);
      return;
    }
    void parse(request, text, (error, value) => {
      if (error) done(new AppError('malformed-request', 'The body is not valid JSON.', { cause: error }));
      else done(null, value);
    });
  });
}
