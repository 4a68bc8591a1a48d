import { formatCount, pluralize } from '../../../lib/format-numbers.js';
import type { AuditAction } from './actions.js';
import { nameActor, type Phrase, revokesPrevious, say, verbOf } from './describe-event.js';
import type { NamedEvent } from './named-event.js';

/** One event, or several of one kind that an actor caused at once, newest first. */
export type EventItem = NamedEvent | readonly [NamedEvent, ...NamedEvent[]];

/** The fewest events that are shown as one. */
const minGroup = 3;

/** The longest time between two events of a group. */
const maxGapMilliseconds = 60_000;

type Verb = (count: number, event: NamedEvent) => string;

/** What an actor did to several resources, such as "deleted 15 keys". Events of other actions are never grouped. */
const verbs: Partial<Record<AuditAction, Verb>> = {
  'api-key.create': (count) => `created ${pluralize(count, 'key')}`,
  'api-key.update': (count, event) => {
    const keys = pluralize(count, 'key');
    const fields = nameFields(changedFields(event));
    if (fields !== undefined) return `changed the ${fields} of ${keys}`;
    if (revokesPrevious(event.after ?? {})) return `revoked the previous secrets of ${keys}`;
    return `${verbOf(event.after ?? {})} ${keys}`;
  },
  'api-key.rotate': (count) => `rotated ${pluralize(count, 'key')}`,
  'api-key.delete': (count) => `deleted ${pluralize(count, 'key')}`,
  'invitation.create': (count) => `invited ${count === 1 ? '1 person' : `${formatCount(count)} people`}`,
  'invitation.delete': (count) => `withdrew ${pluralize(count, 'invitation')}`,
  'member.update': (count) => `changed the roles of ${pluralize(count, 'member')}`,
  'member.delete': (count) => `removed ${pluralize(count, 'member')}`,
  'role.create': (count) => `created ${pluralize(count, 'role')}`,
  'role.update': (count) => `changed ${pluralize(count, 'role')}`,
  'role.delete': (count) => `deleted ${pluralize(count, 'role')}`,
  'service-account.create': (count) => `created ${pluralize(count, 'service account')}`,
  'service-account.update': (count) => `changed ${pluralize(count, 'service account')}`,
  'service-account.rotate': (count) => `rotated ${pluralize(count, 'client secret')}`,
  'service-account.delete': (count) => `deleted ${pluralize(count, 'service account')}`,
  'webhook.create': (count) => `created ${pluralize(count, 'webhook')}`,
  'webhook.update': (count) => `changed ${pluralize(count, 'webhook')}`,
  'webhook.delete': (count) => `deleted ${pluralize(count, 'webhook')}`,
  'webhook.redeliver': (count) => `sent ${pluralize(count, 'event')} to webhooks again`,
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

/** The names of the fields that an event changed, in alphabetical order. */
function changedFields({ after }: NamedEvent): string[] {
  return Object.keys(after ?? {}).sort();
}

/** Names fields, such as "limits and tags"; undefined for none, or if one has no name in sentences. */
function nameFields(fields: readonly string[]): string | undefined {
  const names = [...fieldNames].filter(([field]) => fields.includes(field)).map(([, name]) => name);
  return names.length === 0 || names.length < fields.length ? undefined : new Intl.ListFormat('en-GB').format(names);
}

/** What events must share to be one group; undefined for those that are never grouped. */
function kindOf(event: NamedEvent): string | undefined {
  const { action, actor, address, userAgent } = event;
  const verb = Object.hasOwn(verbs, action) ? verbs[action]?.(0, event) : undefined;
  // Changes of other fields would make a sentence that only says "changed". New resources can have different ones.
  const fields = action.endsWith('.update') ? changedFields(event) : [];
  return verb && JSON.stringify([verb, action, fields, actor.kind, actor.id, actor.email, address, userAgent]);
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
  return say`${nameActor(latest)} ${verbs[latest.action]?.(countTargets(events), latest) ?? ''}`;
}

/** How many resources the events affected: one can be changed several times. Each redelivery is of another event. */
function countTargets(events: readonly [NamedEvent, ...NamedEvent[]]): number {
  if (events[0].action === 'webhook.redeliver') return events.length;
  return new Set(events.map(({ id, target }) => target.id ?? target.name ?? id)).size;
}
