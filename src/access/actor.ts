import type { Principal } from './principal.js';

/** Origin of a request, shown in the audit log and the list of sessions. */
export interface Origin {
  /** IP address of the client; behind a trusted proxy (`TRUST_PROXY`), the one it forwards. */
  address: string;
  /** The first 512 characters of the `User-Agent` header. */
  userAgent: string | undefined;
}

/** A principal that changes something, and the origin of its request. */
export interface Actor extends Principal {
  origin: Origin;
}
