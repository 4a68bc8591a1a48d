import type { AuditEvent } from '../../../api/schema.js';
import { describeUserAgent } from '../../../lib/describe-user-agent.js';

/** Where it was done from. Keycard itself has no IP address and no user agent. */
export function describeOrigin({ actor, address, userAgent }: AuditEvent): string {
  return actor.kind === 'system' ? 'Keycard' : `${address} · ${describeUserAgent(userAgent)}`;
}
