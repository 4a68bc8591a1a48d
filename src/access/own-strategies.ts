import type { FastifyInstance, FastifyRequest } from 'fastify';
import passport from 'passport';

declare module 'fastify' {
  interface FastifyInstance {
    /** The strategies of this application, by name. */
    strategies: Readonly<Record<string, passport.Strategy>>;
  }
}

/**
 * Has `AuthGuard` use the strategies of the application that serves the request. Passport keeps one strategy per name for
 * the whole process, where an application created later, such as by a test, would replace them.
 */
export function useOwnStrategies(fastify: FastifyInstance, strategies: FastifyInstance['strategies']): void {
  fastify.decorate('strategies', strategies);
  for (const name of Object.keys(strategies)) passport.use(name, forwardToOwn(name));
}

/** A strategy that belongs to no application. */
function forwardToOwn(name: string): passport.Strategy {
  return {
    name,
    authenticate(request, options) {
      const { server } = request as unknown as FastifyRequest;
      // Passport runs strategies as copies, which have its callbacks for the request, such as `success`.
      const copy = Object.create(server.strategies[name] ?? null) as passport.Strategy;
      Object.assign(copy, this).authenticate(request, options);
    },
  };
}
