/** Whose work an engine does. Organizations share its queue and its turns, and so do the keys of each. */
export interface EngineClient {
  readonly organizationId: string;
  readonly keyId: string;
}

/** For work that belongs to no organization. */
export const ownClient: EngineClient = { organizationId: '', keyId: '' };

/** Of a request; declared here so that the dashboard can be checked without Fastify's types. */
interface RequestClient {
  readonly principal: { readonly id: string; readonly organizationId: string } | undefined;
}

/** The client of a request that is authenticated by an API key. */
export function clientOf({ principal }: RequestClient): EngineClient {
  return principal === undefined ? ownClient : { organizationId: principal.organizationId, keyId: principal.id };
}
