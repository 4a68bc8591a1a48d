import type { Principal } from './principal.js';

/** Where a request comes from, as the audit log and the list of sessions show it. */
export interface Origin {
  /** IP address of the client; behind a trusted proxy (`TRUST_PROXY`), what that says. */
  address: string;
  /** At most 512 characters of the header `User-Agent`. */
  userAgent: string | undefined;
}

/** A signed-in user who changes something, and from where. */
export interface Actor extends Principal {
  origin: Origin;
}
