import type { EntityManager } from 'typeorm';
import type { AuditAction } from './audit-actions.js';
import type { AuditEntry } from './audit.service.js';
import type { EventType } from '../events/event-types.js';
import { type EventActor, publish } from '../events/publish.js';

/** What was recorded in the audit log. */
export interface RecordedEntry extends AuditEntry {
  organizationId: string;
  actor: EventActor;
  address: string;
  requestId: string | undefined;
}

type Data = Record<string, unknown>;

/** The events that an audit event stands for: a type, or a function that chooses. */
type Derivation = EventType | ((entry: RecordedEntry) => readonly EventType[]);

/** Audit actions that are also events. */
const derivations: Partial<Record<AuditAction, Derivation>> = {
  'api-key.create': 'api_key.created',
  'api-key.update': typesOfKeyUpdate,
  'api-key.rotate': 'api_key.rotated',
  'api-key.delete': 'api_key.deleted',
  'api-key.leak': 'api_key.leaked',
  'limit.threshold': ({ after }) =>
    Number(after?.['percent']) >= 100 ? ['limit.threshold_reached', 'limit.exhausted'] : ['limit.threshold_reached'],
  'invitation.create': 'member.invited',
  'invitation.accept': 'member.joined',
  'member.create': 'member.joined',
  'member.add-owner': ({ before }) => [before === undefined ? 'member.joined' : 'member.role_changed'],
  'member.update': 'member.role_changed',
  'member.delete': (entry) => [hasLeft(entry) ? 'member.left' : 'member.removed'],
  'account.delete': 'member.removed',
  'role.create': 'role.created',
  'role.update': 'role.updated',
  'role.delete': 'role.deleted',
  'service-account.create': 'service_account.created',
  'service-account.update': 'service_account.updated',
  'service-account.rotate': 'service_account.rotated',
  'service-account.delete': 'service_account.deleted',
  'organization.update': 'organization.updated',
  'sign-in-blocked': 'sign_in.blocked',
  'webhook.disable': 'webhook.disabled',
};

/** Publishes the events of what was recorded in the audit log, in the same transaction. */
export async function publishAudited(manager: EntityManager, entry: RecordedEntry): Promise<void> {
  const derivation = derivations[entry.action];
  if (derivation === undefined) return;
  const { organizationId, actor, requestId } = entry;
  for (const type of typeof derivation === 'string' ? [derivation] : derivation(entry)) {
    const data = { ...(await subjectOf(manager, entry)), ...details[type]?.(entry) };
    await publish(manager, { organizationId, type, actor, requestId, data });
  }
}

/** A change of other settings in the same request is an event of its own. */
function typesOfKeyUpdate({ after = {} }: RecordedEntry): EventType[] {
  const types: EventType[] = [];
  if ('enabled' in after) types.push(after['enabled'] === true ? 'api_key.enabled' : 'api_key.disabled');
  if (changedFieldsOf(after).length > 0) types.push('api_key.updated');
  return types;
}

/** `enabled` has its own events. */
const changedFieldsOf = (after: Data = {}) => Object.keys(after).filter((field) => field !== 'enabled');

/** A member that the identity provider removes is recorded as their own actor, with all claimed roles. */
const hasLeft = ({ actor, target, before = {} }: RecordedEntry) =>
  actor.email !== null && actor.email === target.name && !('roles' in before);

/** What the event is about. */
async function subjectOf(manager: EntityManager, entry: RecordedEntry): Promise<Data> {
  const { organizationId, action, target, after = {} } = entry;
  const { kind, id, name, hint } = target;
  if (action === 'sign-in-blocked') return { user: { id, email: name } };
  switch (kind) {
    case 'api-key':
      return { apiKey: { id, name, hint: hint ?? null } };
    case 'service-account':
      return { serviceAccount: { id, name, hint: hint ?? null } };
    case 'role':
    case 'organization':
      // Some changes are recorded with the name before.
      return { [kind]: { id, name: after['name'] ?? name } };
    case 'member':
      return { member: { id, email: name } };
    case 'invitation':
      if (action === 'invitation.create') return { invitation: { id, email: name } };
      return { member: { id: await findMembership(manager, organizationId, name), email: name } };
    case 'webhook':
      return { webhook: { id, host: name } };
    case 'user':
      return { member: { id: await findMembership(manager, organizationId, name), email: name } };
    case 'session':
      return {};
  }
}

/** Null if the account has just been deleted. */
async function findMembership(
  manager: EntityManager,
  organizationId: string,
  email: string | null,
): Promise<string | null> {
  const [found] = await manager.query<{ id: string }[]>(
    `select memberships.id from memberships join users on users.id = user_id
     where organization_id = $1 and email = $2`,
    [organizationId, email],
  );
  return found?.id ?? null;
}

/** Limits can name thousands of models, and payloads stay small. */
const maxModels = 20;

const changedFields = ({ after }: RecordedEntry): Data => ({ changedFields: changedFieldsOf(after) });
const gracePeriod = ({ after = {} }: RecordedEntry): Data => ({ gracePeriodSeconds: after['gracePeriodSeconds'] });
const roleAfter = ({ after = {} }: RecordedEntry): Data => ({ role: roleOf(after) });
const roleBefore = ({ before = {} }: RecordedEntry): Data => ({ role: roleOf(before) });

/** What payloads have besides the subject. */
const details: Partial<Record<EventType, (entry: RecordedEntry) => Data>> = {
  'api_key.updated': changedFields,
  'role.updated': changedFields,
  'service_account.updated': changedFields,
  'organization.updated': changedFields,
  'api_key.rotated': gracePeriod,
  'service_account.rotated': gracePeriod,
  'limit.threshold_reached': limitOf,
  'limit.exhausted': limitOf,
  'member.invited': roleAfter,
  'member.joined': roleAfter,
  'member.left': roleBefore,
  'member.removed': roleBefore,
  'member.role_changed': (entry) => ({ ...roleAfter(entry), previousRole: roleBefore(entry)['role'] }),
  'api_key.leaked': ({ after = {} }) => after,
  'webhook.disabled': ({ after = {} }) => after,
  'sign_in.blocked': ({ address }) => ({ address }),
};

function limitOf({ after = {} }: RecordedEntry): Data {
  const { models } = after;
  return { ...after, ...(Array.isArray(models) && { models: models.slice(0, maxModels) as unknown[] }) };
}

/** Single sign-on records all claimed roles, of which the first applies. */
function roleOf({ role, roles }: Data): unknown {
  return role ?? (Array.isArray(roles) ? (roles[0] as unknown) : null) ?? null;
}
