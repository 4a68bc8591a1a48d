import type { FastifyInstance } from 'fastify';

/**
 * Sets the headers of every response: the request id; `nosniff`, so that browsers don't guess a content type; and, over
 * TLS, the instruction to use nothing else for a year (RFC 6797). Browsers ignore that over plain HTTP, so there it is
 * sent only if `PUBLIC_URL` shows that a proxy terminates TLS.
 */
export function setCommonHeaders(fastify: FastifyInstance, publicUrl: string | undefined): void {
  const isPublicWithTls = publicUrl?.startsWith('https:') === true;
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
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
