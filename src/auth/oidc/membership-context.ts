import type { Origin } from '../../access/actor.js';

/** A person in an organization, and where their request comes from. */
export interface MembershipContext {
  userId: string;
  organizationId: string;
  origin: Origin;
}
