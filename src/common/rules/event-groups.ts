// Which audit events are shown as one. Shared with the dashboard, so no dependencies.

/** What people do to several resources at once. Events of other actions are never grouped. */
const groupedActions = [
  'api-key.create',
  'api-key.update',
  'api-key.rotate',
  'api-key.delete',
  'invitation.create',
  'invitation.delete',
  'member.update',
  'member.delete',
  'role.create',
  'role.update',
  'role.delete',
  'service-account.create',
  'service-account.update',
  'service-account.rotate',
  'service-account.delete',
  'webhook.create',
  'webhook.update',
  'webhook.delete',
  'webhook.redeliver',
] as const;
export type GroupedAction = (typeof groupedActions)[number];

/** What decides whether an event is grouped. */
export interface GroupableEvent {
  id: string;
  occurredAt: string;
  action: string;
  actor: { kind: string; id: string | null; email: string | null };
  address: string;
  userAgent: string | null;
  /** Of the request that caused it; null or missing if it's unknown. */
  requestId?: string | null;
  target: { id: string | null; name: string | null };
  after: Record<string, unknown> | null;
}

/** At least one event, newest first. */
export type EventGroup<Event> = readonly [Event, ...Event[]];

/** One event, or several of one kind that an actor caused with one request. */
export type EventItem<Event> = Event | EventGroup<Event>;

/** The fewest events without a request that are shown as one. */
const minGroup = 3;

/** The longest time between two events of a group. */
const maxGapMilliseconds = 60_000;

export function isGroupedAction(action: string): action is GroupedAction {
  return groupedActions.some((grouped) => grouped === action);
}

/** The names of the fields that an event changed, in alphabetical order. */
export function changedFieldsOf({ after }: Pick<GroupableEvent, 'after'>): string[] {
  return Object.keys(after ?? {}).sort();
}

/** What events must share to be one group; undefined for those that are never grouped. */
function kindOf(event: GroupableEvent): string | undefined {
  const { action, actor, address, userAgent, after } = event;
  if (!isGroupedAction(action)) return undefined;
  // Changes of other fields would make a sentence that only says "changed". New resources can have different ones.
  const fields = action.endsWith('.update') ? changedFieldsOf(event) : [];
  // Enabling keys isn't disabling them, and revoking their previous secrets is neither.
  const values = action === 'api-key.update' ? [after?.['enabled'], after?.['previousSecretExpiresAt'] === null] : [];
  return JSON.stringify([action, fields, values, actor.kind, actor.id, actor.email, address, userAgent]);
}

/** What events must share to be of one request; undefined if that's unknown, or they're never grouped. */
function requestKindOf(event: GroupableEvent): string | undefined {
  const kind = kindOf(event);
  return kind === undefined || event.requestId == null ? undefined : `${kind} ${event.requestId}`;
}

type GrowingGroup<Event> = [Event, ...Event[]];

/** Whether an event may belong to a group of later ones. Clients can send the same request ID again, but much later. */
function isSoonBefore(event: GroupableEvent, group: GrowingGroup<GroupableEvent>): boolean {
  const previous = group.at(-1) ?? group[0];
  return Date.parse(previous.occurredAt) - Date.parse(event.occurredAt) <= maxGapMilliseconds;
}

/** Joins the events of one kind of each request, even if others happened in between. Each group is where its latest event was. */
function joinRequests<Event extends GroupableEvent>(events: readonly Event[]): GrowingGroup<Event>[] {
  const groups: GrowingGroup<Event>[] = [];
  const byKind = new Map<string | undefined, GrowingGroup<Event>>();
  for (const event of events) {
    const kind = requestKindOf(event);
    const group = kind === undefined ? undefined : byKind.get(kind);
    if (group !== undefined && isSoonBefore(event, group)) group.push(event);
    else {
      const added: GrowingGroup<Event> = [event];
      groups.push(added);
      byKind.set(kind, added);
    }
  }
  return groups;
}

/** Joins consecutive events of one kind whose requests aren't known. */
function joinUnknown<Event extends GroupableEvent>(groups: readonly GrowingGroup<Event>[]): GrowingGroup<Event>[] {
  const joined: GrowingGroup<Event>[] = [];
  let kind: string | undefined;
  for (const group of groups) {
    const [event] = group;
    const latest = joined.at(-1);
    const ownKind = event.requestId == null ? kindOf(event) : undefined;
    if (latest !== undefined && ownKind !== undefined && ownKind === kind && isSoonBefore(event, latest)) {
      latest.push(event);
    } else joined.push([...group]);
    kind = ownKind;
  }
  return joined;
}

/**
 * Groups events of one kind that an actor caused with one request. Single changes stay apart, however soon they follow each
 * other: readers of an audit log must be able to tell them from one change of many resources. Of events without a request, such
 * as those of earlier releases, at least three consecutive ones, each within a minute of the next, count as one change.
 *
 * @param events newest first
 */
export function groupEvents<Event extends GroupableEvent>(events: readonly Event[]): EventItem<Event>[] {
  return joinUnknown(joinRequests(events)).flatMap((group): EventItem<Event>[] => (isGroup(group) ? [group] : group));
}

function isGroup([event, ...others]: EventGroup<GroupableEvent>): boolean {
  return 1 + others.length >= (event.requestId == null ? minGroup : 2);
}

/** Whether an event that is older than all others may belong to one of these items, or make single events a group. */
export function mayGrow(items: readonly EventItem<GroupableEvent>[], oldest: GroupableEvent): boolean {
  return items.some((item) => isSoonBefore(oldest, 'id' in item ? [item] : [...item]));
}

/** How many resources the events of a group affected: one can be changed several times. Each redelivery is of another event. */
export function countTargets(events: EventGroup<GroupableEvent>): number {
  if (events[0].action === 'webhook.redeliver') return events.length;
  return new Set(events.map(({ id, target }) => target.id ?? target.name ?? id)).size;
}
