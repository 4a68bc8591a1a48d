import type { Permission } from './permissions.js';

/** The authenticated user or API key. Services receive it as an argument. */
export interface Principal {
  kind: 'user' | 'api-key';
  /** Id of the user or API key. */
  id: string;
  /** The organization that the request is limited to. */
  organizationId: string;
  permissions: readonly Permission[];
  /** Only for Keycard's own access tokens, not for those of an identity provider or API keys. */
  sessionId?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set after the credential has been verified. */
    principal: Principal | undefined;
  }
}
