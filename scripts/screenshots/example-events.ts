import type { AuditAction } from '../../src/audit/audit-actions.js';
import type { AuditEventRow } from '../../src/audit/read-audit-events.js';
import { insertAuditEvents } from '../../test/factories/audit-log.js';
import type { TestApp } from '../../test/setup/test-app.js';
import { daysAgo } from './days-ago.js';
import type { ExampleKey } from './example-keys.js';
import type { Person } from './example-organization.js';

type Event = Partial<AuditEventRow>;

const userAgent =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36';

interface ExampleActors extends Record<'owner' | 'keyManager' | 'viewer', Person> {
  deployPipeline: { id: string; name: string };
}

/** Inserts audit events of members and a service account: the keys they created, rotations and sign-ins. */
export async function insertExampleEvents(
  service: TestApp,
  organizationId: string,
  { owner, keyManager, viewer, deployPipeline }: ExampleActors,
  keys: ExampleKey[],
): Promise<void> {
  const byOwner = [
    ...createdBy('owner', keys),
    onPerson('password.change', owner, 9),
    onPerson('sign-in', owner, 0.21),
  ];
  const rotations = keys.flatMap((key) =>
    key.rotatedDaysAgo === undefined
      ? []
      : onKey('api-key.rotate', key, key.rotatedDaysAgo, {
          before: { hint: key.earlierHint },
          after: { hint: key.hint, gracePeriodSeconds: 86_400 },
        }),
  );
  const byKeyManager = [...createdBy('keyManager', keys), ...rotations, onPerson('sign-in', keyManager, 3.2)];
  const byViewer = [onPerson('sign-in-failed', viewer, 1.402), onPerson('sign-in', viewer, 1.4)];
  const work: [Person, string, Event[]][] = [
    [owner, '203.0.113.24', byOwner],
    [keyManager, '203.0.113.81', byKeyManager],
    [viewer, '198.51.100.7', byViewer],
  ];
  for (const [{ userId, email }, address, events] of work) {
    const rows = events.map((event) => ({ actorEmail: email, address, userAgent, ...event }));
    await insertAuditEvents(service, { organizationId, userId }, rows);
  }
  const { id, name } = deployPipeline;
  const actor: Event = { actorKind: 'service-account', actorName: name, address: '198.51.100.40' };
  const byPipeline = createdBy('deployPipeline', keys).map((event) => ({ ...event, ...actor }));
  await insertAuditEvents(service, { organizationId, userId: id }, byPipeline);
}

function createdBy(creator: ExampleKey['createdBy'], keys: ExampleKey[]): Event[] {
  return keys
    .filter((key) => key.createdBy === creator)
    .map((key) =>
      onKey('api-key.create', key, key.createdDaysAgo, {
        targetHint: key.earlierHint ?? key.hint,
        after: { name: key.name, tags: key.tags },
      }),
    );
}

function onKey(action: AuditAction, { id, name, hint }: ExampleKey, days: number, changes: Event): Event {
  const target: Event = { targetKind: 'api-key', targetId: id, targetName: name, targetHint: hint };
  return { action, occurredAt: daysAgo(days), ...target, ...changes };
}

function onPerson(action: AuditAction, { userId, email }: Person, days: number): Event {
  const target: Event = { targetKind: 'user', targetId: userId, targetName: email };
  return { action, occurredAt: daysAgo(days), ...target };
}
