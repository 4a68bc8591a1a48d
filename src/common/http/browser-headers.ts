import type { FastifyInstance } from 'fastify';

/** Keeps browsers from guessing that an answer is something else than its content type says. */
export function forbidSniffing(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (_request, reply, done) => {
    void reply.header('x-content-type-options', 'nosniff');
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
