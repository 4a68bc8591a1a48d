import type { AuditEvent } from '../../../api/schema.js';
import { describeEvent, textOf } from './describe-event.js';

function event(changes: Partial<AuditEvent>): AuditEvent {
  return {
    id: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f',
    occurredAt: '2026-01-31T09:30:00.123Z',
    actor: { id: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398e', email: 'ada@example.com' },
    address: '203.0.113.7',
    userAgent: null,
    action: 'sign-in',
    target: { kind: 'user', id: null, name: null },
    before: null,
    after: null,
    ...changes,
  };
}

const key = { kind: 'api-key', id: null, name: 'Search indexer', hint: 'kc_ab12c' } as const;
const bob = { kind: 'member', id: null, name: 'bob@example.com' } as const;

describe('describeEvent', () => {
  it('should tell names and keys from words', () => {
    expect(describeEvent(event({ action: 'api-key.rotate', target: key }))).toEqual([
      { text: 'ada@example.com', kind: 'name' },
      { text: ' rotated the key ', kind: 'words' },
      { text: 'Search indexer', kind: 'name' },
      { text: ' ', kind: 'words' },
      { text: 'kc_ab12c…', kind: 'hint' },
    ]);
  });

  it.each<[Partial<AuditEvent>, string]>([
    [{ action: 'sign-in' }, 'ada@example.com signed in'],
    [
      { action: 'password.remove', target: { kind: 'user', id: null, name: 'ada@example.com' } },
      'The password of ada@example.com was removed at their first single sign-on',
    ],
    [
      { action: 'member.keep', target: bob, after: { refusedRoles: ['Viewer'] } },
      'bob@example.com kept their role as the last administrator, against the identity provider',
    ],
    [{ action: 'sign-in-failed' }, 'Somebody failed to sign in as ada@example.com'],
    [
      { action: 'member.update', target: bob, before: { role: 'Viewer' }, after: { role: 'Owner' } },
      'ada@example.com changed the role of bob@example.com from Viewer to Owner',
    ],
    [
      { action: 'member.create', target: bob, after: { roles: ['Viewer', 'Meter'] } },
      'ada@example.com joined by single sign-on as Viewer, Meter',
    ],
    [{ action: 'member.delete', target: bob }, 'ada@example.com removed bob@example.com'],
    [{ action: 'member.delete', target: { ...bob, name: 'ada@example.com' } }, 'ada@example.com left the organization'],
    [
      { action: 'invitation.create', target: bob, after: { role: 'Viewer' } },
      'ada@example.com invited bob@example.com as Viewer',
    ],
    [
      { action: 'role.delete', target: { kind: 'role', id: null, name: '' } },
      'ada@example.com deleted the role (no name)',
    ],
    [{ actor: { id: null, email: null } }, 'Somebody signed in'],
  ])('should put %j in words', (changes, sentence) => {
    expect(textOf(describeEvent(event(changes)))).toBe(sentence);
  });

  it.each([
    ['webhook.rotate-secret', bob, 'ada@example.com: webhook rotate secret bob@example.com'],
    ['constructor', { ...bob, name: null }, 'ada@example.com: constructor'],
  ])('should make sense of %s, which it does not know', (action, target, sentence) => {
    const unknown = event({ target, action: action as AuditEvent['action'] });
    expect(textOf(describeEvent(unknown))).toBe(sentence);
  });
});
