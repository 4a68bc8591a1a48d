import type { Permission } from './permissions.js';

/** Who makes a request, whatever the credential was. Services receive it as an argument. */
export interface Principal {
  kind: 'user' | 'api-key';
  /** Id of the user or of the key. */
  id: string;
  /** The organization whose resources the request may touch. */
  organizationId: string;
  permissions: readonly Permission[];
  /** The session of a user who has signed in here; what comes with another credential has none. */
  sessionId?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the credential is verified. */
    principal: Principal | undefined;
  }
}
