import type { FastifyInstance } from 'fastify';
import type { AppError } from '../common/errors/app-error.js';
import type { ApiKeyStrategy } from '../api-keys/api-key.strategy.js';

/**
 * Verifies the key of `@RequireApiKey()` routes in Fastify's first hook: Nest's guards run only after the body was
 * read, and nobody without a key shall make us read one. The strategy is called directly, since going through
 * passport costs more than the look-up itself.
 *
 * @param refusal returns the error to reject authenticated requests with, if they cannot be served now
 */
export function authenticateBeforeBody(
  fastify: FastifyInstance,
  strategy: ApiKeyStrategy,
  refusal: () => AppError | undefined,
): void {
  fastify.decorateRequest('principal', undefined);
  fastify.addHook('onRoute', (route) => {
    const access = route.config?.access;
    if (access?.kind !== 'api-key') return;
    if (access.bodyLimitBytes !== undefined) route.bodyLimit = access.bodyLimitBytes;
    route.onRequest = (request, _reply, done) => {
      strategy.validate(request).then(
        (principal) => {
          request.principal = principal;
          done(refusal());
        },
        (error: Error) => done(error),
      );
    };
  });
}
