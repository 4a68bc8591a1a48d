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
  target: { id: string | null; name: string | null };
  after: Record<string, unknown> | null;
}

/** At least one event, newest first. */
export type EventGroup<Event> = readonly [Event, ...Event[]];

/** One event, or several of one kind that an actor caused at once. */
export type EventItem<Event> = Event | EventGroup<Event>;

/** The fewest events that are shown as one. */
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

/**
 * Groups consecutive events of one kind that an actor caused from one place, each within a minute of the next.
 *
 * @param events newest first
 */
export function groupEvents<Event extends GroupableEvent>(events: readonly Event[]): EventItem<Event>[] {
  const runs: { kind: string | undefined; events: [Event, ...Event[]] }[] = [];
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
  return runs.flatMap((run): EventItem<Event>[] => (run.events.length >= minGroup ? [run.events] : run.events));
}

/** How many resources the events of a group affected: one can be changed several times. Each redelivery is of another event. */
export function countTargets(events: EventGroup<GroupableEvent>): number {
  if (events[0].action === 'webhook.redeliver') return events.length;
  return new Set(events.map(({ id, target }) => target.id ?? target.name ?? id)).size;
}
