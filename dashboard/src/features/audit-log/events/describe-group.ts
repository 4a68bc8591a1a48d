import {
  changedFieldsOf,
  countTargets,
  type EventGroup,
  type GroupedAction,
  isGroupedAction,
} from '@rules/event-groups.js';
import { formatCount, pluralize } from '../../../lib/format-numbers.js';
import { nameActor, type Phrase, revokesPrevious, say, verbOf } from './describe-event.js';
import type { NamedEvent } from './named-event.js';

type Verb = (count: number, event: NamedEvent) => string;

/** What an actor did to several resources, such as "deleted 15 keys". */
const verbs: Record<GroupedAction, Verb> = {
  'api-key.create': (count) => `created ${pluralize(count, 'key')}`,
  'api-key.update': (count, event) => {
    const keys = pluralize(count, 'key');
    const fields = nameFields(changedFieldsOf(event));
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

/** Names fields, such as "limits and tags"; undefined for none, or if one has no name in sentences. */
function nameFields(fields: readonly string[]): string | undefined {
  const names = [...fieldNames].filter(([field]) => fields.includes(field)).map(([, name]) => name);
  return names.length === 0 || names.length < fields.length ? undefined : new Intl.ListFormat('en-GB').format(names);
}

/** Describes a group in one sentence, such as "Ada Lovelace deleted 15 keys". */
export function describeGroup(events: EventGroup<NamedEvent>): Phrase[] {
  return describeMany(events[0], countTargets(events));
}

/**
 * Describes what an actor did to several resources.
 *
 * @param latest the latest of the events
 */
export function describeMany(latest: NamedEvent, count: number): Phrase[] {
  const { action } = latest;
  return say`${nameActor(latest)} ${isGroupedAction(action) ? verbs[action](count, latest) : ''}`;
}
