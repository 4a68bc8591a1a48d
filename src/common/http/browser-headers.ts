import type { FastifyInstance } from 'fastify';

/** Keeps browsers from guessing that an answer is something else than its content type says. */
export function forbidSniffing(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (_request, reply, done) => {
    void reply.header('x-content-type-options', 'nosniff');
    done();
  });
}

/**
 * Makes browsers use TLS for the next year wherever they have used it once (RFC 6797). Over plain HTTP they ignore the
 * header, so it is sent there only if `PUBLIC_URL` shows that a proxy ends TLS.
 */
export function requireTls(fastify: FastifyInstance, publicUrl: string | undefined): void {
  const isPublicWithTls = publicUrl?.startsWith('https:') === true;
  fastify.addHook('onRequest', (request, reply, done) => {
    if (isPublicWithTls || request.protocol === 'https') {
      void reply.header('strict-transport-security', 'max-age=31536000');
    }
    done();
  });
}

/** Keeps other pages from showing those below a path inside their own; to be called before their routes are added. */
export function forbidFraming(fastify: FastifyInstance, path: string): void {
  fastify.addHook('onRoute', (route) => {
    if (route.url !== path && !route.url.startsWith(`${path}/`)) return;
    route.onRequest = (_request, reply, done) => {
      void reply.headers({ 'content-security-policy': `frame-ancestors 'none'`, 'x-frame-options': 'DENY' });
      done();
    };
  });
}
