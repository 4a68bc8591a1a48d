import type { AuditAction } from './actions.js';
import { nameActor, type Phrase, revokesPrevious, say, verbOf } from './describe-event.js';
import type { NamedEvent } from './named-event.js';

/** One event, or several of one kind that an actor caused at once, newest first. */
export type EventItem = NamedEvent | readonly [NamedEvent, ...NamedEvent[]];

/** The fewest events that are shown as one. */
const minGroup = 3;

/** The longest time between two events of a group. */
const maxGapMilliseconds = 60_000;

/** @param fields that all events changed, such as "limits and tags"; undefined if they differ */
type Verb = (count: number, event: NamedEvent, fields?: string) => string;

/** What an actor did to several resources, such as "deleted 15 keys". Events of other actions are never grouped. */
const verbs: Partial<Record<AuditAction, Verb>> = {
  'api-key.create': (count) => `created ${count} keys`,
  'api-key.update': (count, { after }, fields) => {
    if (fields !== undefined) return `changed the ${fields} of ${count} keys`;
    if (revokesPrevious(after ?? {})) return `revoked the previous secrets of ${count} keys`;
    return `${verbOf(after ?? {})} ${count} keys`;
  },
  'api-key.rotate': (count) => `rotated ${count} keys`,
  'api-key.delete': (count) => `deleted ${count} keys`,
  'invitation.create': (count) => `invited ${count} people`,
  'invitation.delete': (count) => `withdrew ${count} invitations`,
  'member.update': (count) => `changed the roles of ${count} members`,
  'member.delete': (count) => `removed ${count} members`,
  'role.create': (count) => `created ${count} roles`,
  'role.update': (count) => `changed ${count} roles`,
  'role.delete': (count) => `deleted ${count} roles`,
  'service-account.create': (count) => `created ${count} service accounts`,
  'service-account.update': (count) => `changed ${count} service accounts`,
  'service-account.rotate': (count) => `rotated ${count} client secrets`,
  'service-account.delete': (count) => `deleted ${count} service accounts`,
  'webhook.create': (count) => `created ${count} webhooks`,
  'webhook.update': (count) => `changed ${count} webhooks`,
  'webhook.delete': (count) => `deleted ${count} webhooks`,
  'webhook.redeliver': (count) => `sent ${count} events to webhooks again`,
};

/** Fields of keys in sentences, in this order. Without `enabled`, which has its own verbs. */
const fieldNames = new Map([
  ['name', 'names'],
  ['expiresAt', 'expiry'],
  ['limits', 'limits'],
  ['models', 'models'],
  ['addresses', 'IP addresses'],
  ['tags', 'tags'],
  ['note', 'notes'],
]);

/** Names the fields that all events changed; undefined if they differ, or if one has no name in sentences. */
function nameSharedFields(events: readonly [NamedEvent, ...NamedEvent[]]): string | undefined {
  const [changed = [], ...others] = events.map(({ after }) => Object.keys(after ?? {}).sort());
  if (changed.length === 0 || others.some((fields) => fields.join() !== changed.join())) return undefined;
  const names = [...fieldNames].filter(([field]) => changed.includes(field)).map(([, name]) => name);
  return names.length < changed.length ? undefined : new Intl.ListFormat('en-GB').format(names);
}

/** What events must share to be one group; undefined for those that are never grouped. */
function kindOf(event: NamedEvent): string | undefined {
  const { action, actor, address, userAgent } = event;
  const verb = Object.hasOwn(verbs, action) ? verbs[action]?.(0, event) : undefined;
  return verb && JSON.stringify([verb, action, actor.kind, actor.id, actor.email, address, userAgent]);
}

/** Groups consecutive events of one kind that an actor caused from one place, each within a minute of the next. */
export function groupEvents(events: readonly NamedEvent[]): EventItem[] {
  const runs: { kind: string | undefined; events: [NamedEvent, ...NamedEvent[]] }[] = [];
  for (const event of events) {
    const kind = kindOf(event);
    const latest = runs.at(-1);
    const previous = latest?.events.at(-1);
    if (latest !== undefined && previous !== undefined && kind !== undefined && latest.kind === kind) {
      if (Date.parse(previous.occurredAt) - Date.parse(event.occurredAt) <= maxGapMilliseconds) {
        latest.events.push(event);
        continue;
      }
    }
    runs.push({ kind, events: [event] });
  }
  return runs.flatMap((run): EventItem[] => (run.events.length >= minGroup ? [run.events] : run.events));
}

/** Describes a group in one sentence, such as "Ada Lovelace deleted 15 keys". */
export function describeGroup(events: readonly [NamedEvent, ...NamedEvent[]]): Phrase[] {
  const [latest] = events;
  return say`${nameActor(latest)} ${verbs[latest.action]?.(events.length, latest, nameSharedFields(events)) ?? ''}`;
}
