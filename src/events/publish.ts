import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { EventType } from './event-types.js';

/** Who caused an event. `system` is the service itself, `operator` someone on the command line. */
export interface EventActor {
  kind: 'user' | 'service-account' | 'operator' | 'system';
  id: string | null;
  /** Of a service account. */
  name: string | null;
  /** Of a user. */
  email: string | null;
}

/** An event to publish. */
export interface NewEvent {
  organizationId: string;
  type: EventType;
  /** Who did it; the service itself by default. */
  actor?: EventActor;
  /** Of the request that caused it. */
  requestId?: string | undefined;
  /** Ids and names of what it is about. Never a secret, and small: receivers expect payloads below 20 kB. */
  data: Readonly<Record<string, unknown>>;
}

const system: EventActor = { kind: 'system', id: null, name: null, email: null };

/**
 * Publishes an event: it exists exactly if the transaction commits.
 *
 * @param manager of the transaction that makes the change
 * @returns its id
 */
export async function publish(manager: EntityManager, event: NewEvent): Promise<string> {
  const { organizationId, type, actor = system, requestId = null, data } = event;
  const id = uuidv7();
  await manager.query('insert into events (id, organization_id, type, data) values ($1, $2, $3, $4)', [
    id,
    organizationId,
    type,
    JSON.stringify({ organizationId, actor, requestId, ...data }),
  ]);
  return id;
}
