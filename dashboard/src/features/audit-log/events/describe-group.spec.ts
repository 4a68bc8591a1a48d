import { toPlainText } from './describe-event.js';
import { describeGroup } from './describe-group.js';
import type { NamedEvent } from './named-event.js';

const ada = { kind: 'user', id: 'ada', email: 'ada@example.com', name: null } as const;

/** @param seconds before noon */
function event(seconds: number, changes: Partial<NamedEvent> = {}): NamedEvent {
  return {
    id: `event ${seconds}`,
    occurredAt: new Date(Date.parse('2026-01-31T12:00:00Z') - seconds * 1000).toISOString(),
    actor: ada,
    address: '203.0.113.7',
    userAgent: null,
    requestId: null,
    action: 'api-key.delete',
    target: { kind: 'api-key', id: null, name: `Key ${seconds}` },
    before: null,
    after: null,
    ...changes,
  };
}

describe('describeGroup', () => {
  it.each<[Partial<NamedEvent>, string]>([
    [{}, 'ada@example.com deleted 3 keys'],
    [{ person: { id: 'ada', email: 'ada@example.com', name: 'Ada Lovelace' } }, 'Ada Lovelace deleted 3 keys'],
    [{ action: 'api-key.update', after: { enabled: false } }, 'ada@example.com disabled 3 keys'],
    [{ action: 'invitation.create' }, 'ada@example.com invited 3 people'],
  ])('should describe %j as “%s”', (changes, sentence) => {
    expect(toPlainText(describeGroup([event(0, changes), event(1, changes), event(2, changes)]))).toBe(sentence);
  });

  it.each<[string, ...Record<string, unknown>[]]>([
    ['changed the limits of 3 keys', { limits: [] }, { limits: null }, { limits: [] }],
    ['changed the expiry of 3 keys', { expiresAt: null }, { expiresAt: null }, { expiresAt: null }],
    ['changed the tags of 3 keys', { tags: ['eu'] }, { tags: [] }, { tags: ['us'] }],
    [
      'changed the expiry, limits and tags of 3 keys',
      { tags: [], expiresAt: null, limits: [] },
      { limits: [], tags: [], expiresAt: null },
      { expiresAt: null, limits: [], tags: [] },
    ],
    ['changed 3 keys', { quota: 1 }, { quota: 1 }, { quota: 1 }],
    ['changed 3 keys', {}, {}, {}],
    ['enabled 3 keys', { enabled: true }, { enabled: true }, { enabled: true }],
    [
      'disabled and changed 3 keys',
      { enabled: false, tags: [] },
      { enabled: false, tags: [] },
      { enabled: false, tags: [] },
    ],
    [
      'revoked the previous secrets of 3 keys',
      { previousSecretExpiresAt: null },
      { previousSecretExpiresAt: null },
      { previousSecretExpiresAt: null },
    ],
  ])('should say “%s” for the changes %j, %j and %j', (sentence, ...changes) => {
    const [latest, ...others] = changes.map((after, seconds) => event(seconds, { action: 'api-key.update', after }));
    if (latest === undefined) throw new Error('No changes');
    expect(toPlainText(describeGroup([latest, ...others]))).toBe(`ada@example.com ${sentence}`);
  });

  it.each<[string, string[]]>([
    ['changed the limits of 2 keys', ['a', 'b', 'a', 'b']],
    ['changed the limits of 1 key', ['a', 'a', 'a']],
  ])('should say “%s” for changes of %j', (sentence, [first = '', ...ids]) => {
    const change = (id: string, seconds: number) =>
      event(seconds, {
        action: 'api-key.update',
        target: { kind: 'api-key', id, name: 'Search' },
        after: { limits: [] },
      });
    const events = [change(first, 0), ...ids.map((id, index) => change(id, index + 1))] as const;
    expect(toPlainText(describeGroup(events))).toBe(`ada@example.com ${sentence}`);
  });

  it('should count events that were sent to one webhook again', () => {
    const target = { kind: 'webhook', id: 'hook', name: 'example.com' } as const;
    const [first, ...others] = [0, 1, 2].map((seconds) => event(seconds, { action: 'webhook.redeliver', target }));
    if (first === undefined) throw new Error('No events');
    expect(toPlainText(describeGroup([first, ...others]))).toBe('ada@example.com sent 3 events to webhooks again');
  });
});
