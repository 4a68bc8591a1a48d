/** The API key and organization that an engine works for. Organizations take turns, and so do the keys of each. */
export interface EngineClient {
  readonly organizationId: string;
  readonly keyId: string;
}

/** The client of work that no request asked for. */
export const systemClient: EngineClient = { organizationId: '', keyId: '' };

/** The used part of a Fastify request. Declared here because the dashboard is type-checked without Fastify. */
interface RequestWithPrincipal {
  readonly principal: { readonly id: string; readonly organizationId: string } | undefined;
}

/** Returns the client of a request that was authenticated with an API key. */
export function clientOf({ principal }: RequestWithPrincipal): EngineClient {
  return principal === undefined ? systemClient : { organizationId: principal.organizationId, keyId: principal.id };
}
