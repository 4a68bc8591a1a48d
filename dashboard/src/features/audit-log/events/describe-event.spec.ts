import type { AuditEvent } from '../../../api/schema.js';
import { describeEvent, toPlainText } from './describe-event.js';

function event(changes: Partial<AuditEvent>): AuditEvent {
  return {
    id: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f',
    occurredAt: '2026-01-31T09:30:00.123Z',
    actor: { kind: 'user', id: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398e', email: 'ada@example.com', name: null },
    address: '203.0.113.7',
    userAgent: null,
    requestId: null,
    action: 'sign-in',
    target: { kind: 'user', id: null, name: null },
    before: null,
    after: null,
    ...changes,
  };
}

const key = { kind: 'api-key', id: null, name: 'Search indexer', hint: 'kc_ab12c' } as const;
const pipeline = { kind: 'service-account', id: null, email: null, name: 'Deploy pipeline' } as const;
const keycard = { kind: 'system', id: null, email: null, name: null } as const;
const northwind = { kind: 'organization', id: null, name: 'Northwind' } as const;
const bob = { kind: 'member', id: null, name: 'bob@example.com' } as const;

describe('describeEvent', () => {
  it('should separate names and key hints from words', () => {
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
      { action: 'organization.update', target: northwind, after: { limits: [] } },
      'ada@example.com changed the limits of Northwind',
    ],
    [
      { action: 'organization.update', target: northwind, after: { timeZone: 'UTC', limits: [] } },
      'ada@example.com changed the settings and limits of Northwind',
    ],
    [
      { action: 'organization.update', target: northwind, after: { timeZone: 'UTC' } },
      'ada@example.com changed the settings of Northwind',
    ],
    [
      { action: 'api-key.update', target: key, after: { limits: null } },
      'ada@example.com changed the limits of the key Search indexer kc_ab12c…',
    ],
    [
      { action: 'password.remove', target: { kind: 'user', id: null, name: 'ada@example.com' } },
      "ada@example.com's password was removed when they first used single sign-on",
    ],
    [
      { action: 'member.keep', target: bob, after: { refusedRoles: ['Viewer'] } },
      'bob@example.com kept their role as the last administrator, despite the identity provider',
    ],
    [{ action: 'sign-in-failed' }, 'Failed sign-in attempt for ada@example.com'],
    [
      { action: 'member.update', target: bob, before: { role: 'Viewer' }, after: { role: 'Owner' } },
      'ada@example.com changed the role of bob@example.com from Viewer to Owner',
    ],
    [
      { action: 'member.create', target: bob, after: { roles: ['Viewer', 'Meter'] } },
      'ada@example.com joined through single sign-on as Viewer, Meter',
    ],
    ...(
      [
        ['current', 'disabled', 'Search indexer kc_ab12c… leaked and was disabled'],
        ['current', 'unchanged', 'Search indexer kc_ab12c… leaked and still works'],
        ['current', 'something new', 'Search indexer kc_ab12c… leaked'],
        [
          'previous',
          'previous-secret-revoked',
          'The previous secret of Search indexer kc_ab12c… leaked and was revoked',
        ],
      ] as const
    ).map(([secret, outcome, sentence]): [Partial<AuditEvent>, string] => [
      { action: 'api-key.leak', actor: keycard, target: key, after: { secret, outcome } },
      sentence,
    ]),
    ...(
      [
        ['disabled', ', and it was disabled'],
        ['already-rejected', ''],
      ] as const
    ).map(([outcome, ending]): [Partial<AuditEvent>, string] => [
      { action: 'api-key.leak', target: key, after: { secret: 'current', outcome } },
      `ada@example.com reported that the key Search indexer kc_ab12c… leaked${ending}`,
    ]),
    [
      { action: 'api-key.update', target: key, after: { note: 'x' } },
      'ada@example.com changed the key Search indexer kc_ab12c…',
    ],
    [
      { action: 'api-key.update', target: key, after: { enabled: false } },
      'ada@example.com disabled the key Search indexer kc_ab12c…',
    ],
    [
      { action: 'api-key.update', target: key, after: { enabled: true, note: 'x' } },
      'ada@example.com enabled and changed the key Search indexer kc_ab12c…',
    ],
    [
      { action: 'api-key.update', target: key, after: { previousSecretExpiresAt: null } },
      'ada@example.com revoked the previous secret of Search indexer',
    ],
    [
      {
        action: 'api-key.update',
        target: key,
        before: { previousSecretHint: 'kc_old12', previousSecretExpiresAt: '2026-01-30T10:00:00Z' },
        after: { previousSecretHint: null, previousSecretExpiresAt: null },
      },
      'ada@example.com revoked the previous secret kc_old12… of Search indexer',
    ],
    [
      { action: 'service-account.update', target: pipeline, after: { previousSecretExpiresAt: null } },
      'ada@example.com revoked the previous client secret of Deploy pipeline',
    ],
    [
      { action: 'service-account.update', target: pipeline, before: { role: 'Viewer' }, after: { role: 'Owner' } },
      'ada@example.com changed the role of Deploy pipeline from Viewer to Owner',
    ],
    [
      {
        action: 'service-account.update',
        target: pipeline,
        before: { name: 'Pipeline' },
        after: { name: 'Deploy pipeline' },
      },
      'ada@example.com changed the service account Deploy pipeline',
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
    [
      {
        actor: keycard,
        action: 'limit.threshold',
        target: key,
        after: { metric: 'tokens', per: 'day', models: null, percent: 80, charged: 800, max: 1000 },
      },
      'Search indexer kc_ab12c… reached 80% of its budget of 1,000 tokens per day',
    ],
    [
      { actor: keycard, action: 'limit.threshold', target: { kind: 'organization', id: null, name: 'Research' } },
      'Research reached part of a budget',
    ],
    [{ actor: keycard, action: 'account.list' }, 'Keycard listed all accounts'],
    [{ actor: { kind: 'user', id: null, email: null, name: null } }, 'Someone signed in'],
    [{ actor: pipeline }, 'Deploy pipeline signed in'],
    [
      { actor: pipeline, action: 'api-key.create', target: key },
      'Deploy pipeline created the key Search indexer kc_ab12c…',
    ],
  ])('should describe %j', (changes, sentence) => {
    expect(toPlainText(describeEvent(event(changes)))).toBe(sentence);
  });

  it.each([
    ['webhook.rotate-secret', bob, 'ada@example.com: webhook rotate secret bob@example.com'],
    ['constructor', { ...bob, name: null }, 'ada@example.com: constructor'],
  ])('should describe the unknown action %s', (action, target, sentence) => {
    const unknown = event({ target, action: action as AuditEvent['action'] });
    expect(toPlainText(describeEvent(unknown))).toBe(sentence);
  });
});
