import { type GroupableEvent, groupEvents } from './event-groups.js';

const ada = { kind: 'user', id: 'ada', email: 'ada@example.com' };
const bob = { kind: 'user', id: 'bob', email: 'bob@example.com' };

/** @param seconds before noon */
function event(seconds: number, changes: Partial<GroupableEvent> = {}): GroupableEvent {
  return {
    id: `event ${seconds}`,
    occurredAt: new Date(Date.parse('2026-01-31T12:00:00Z') - seconds * 1000).toISOString(),
    actor: ada,
    address: '203.0.113.7',
    userAgent: null,
    action: 'api-key.delete',
    target: { id: null, name: `Key ${seconds}` },
    after: null,
    ...changes,
  };
}

/** The sizes of the groups; 1 for single events. */
const sizesOf = (events: GroupableEvent[]) => groupEvents(events).map((item) => ('id' in item ? 1 : item.length));

describe('groupEvents', () => {
  it('should group three or more events without a request of one actor and kind, each within a minute of the next', () => {
    expect(sizesOf([event(0), event(59), event(119), event(121)])).toEqual([4]);
    expect(sizesOf([event(0), event(1)])).toEqual([1, 1]);
    expect(sizesOf([event(0), event(1), event(2), event(63), event(64), event(65)])).toEqual([3, 3]);
  });

  it.each<[string, Partial<GroupableEvent>]>([
    ['another actor', { actor: bob }],
    ['another action', { action: 'api-key.rotate' }],
    ['another IP address', { address: '198.51.100.1' }],
    ['another browser', { userAgent: 'curl/8.5.0' }],
  ])('should not group events of %s', (_title, changes) => {
    expect(sizesOf([event(0), event(1), event(2, changes), event(3), event(4)])).toEqual([1, 1, 1, 1, 1]);
  });

  it('should group changes only with those of the same fields', () => {
    const updates = (...changes: Record<string, unknown>[]) =>
      changes.map((after, seconds) => event(seconds, { action: 'api-key.update', after }));
    const limits = { limits: [] };
    const [expiry, tags] = [{ expiresAt: null }, { tags: [] }];
    expect(sizesOf(updates(limits, limits, limits, limits, expiry, expiry, tags, tags))).toEqual([4, 1, 1, 1, 1]);
    expect(sizesOf(updates({ ...limits, ...tags }, { ...tags, ...limits }, { ...limits, ...tags }))).toEqual([3]);
    expect(sizesOf(updates(tags, tags, { ...tags, ...limits }))).toEqual([1, 1, 1]);
    const [off, on] = [{ enabled: false }, { enabled: true }];
    expect(sizesOf(updates(off, off, off, on, on, on))).toEqual([3, 3]);
  });

  it('should group new resources with different fields', () => {
    const created = [{ name: 'A' }, { name: 'B', tags: [] }, { name: 'C', limits: [] }];
    expect(sizesOf(created.map((after, seconds) => event(seconds, { action: 'api-key.create', after })))).toEqual([3]);
  });

  it('should group two or more events of one request, apart from those of other requests', () => {
    const ofRequests = (...ids: (string | null)[]) => ids.map((requestId, seconds) => event(seconds, { requestId }));
    expect(sizesOf(ofRequests('a', 'a', 'b', 'b', 'b'))).toEqual([2, 3]);
    expect(sizesOf(ofRequests('a', 'b', 'c', 'd', 'd', 'e', 'f'))).toEqual([1, 1, 1, 2, 1, 1]);
    expect(sizesOf(ofRequests('a', null, null, 'b', null, null))).toEqual([1, 1, 1, 1, 1, 1]);
    expect(sizesOf(ofRequests('a', 'a', null, null, null, 'b'))).toEqual([2, 3, 1]);
    const update = event(3, { requestId: 'a', action: 'api-key.update', after: { enabled: true } });
    expect(sizesOf([...ofRequests('a', 'a', 'a'), update])).toEqual([3, 1]);
  });

  it('should group the events of one request, even if others happened in between', () => {
    const [a, b] = [{ requestId: 'a' }, { requestId: 'b' }];
    const signIn = event(2, { action: 'sign-in' });
    const events = [event(0, a), event(1, b), signIn, event(3, a), event(4, b)];
    expect(groupEvents(events)).toEqual([[events[0], events[3]], [events[1], events[4]], signIn]);
  });

  it('should not group events of one request ID that are more than a minute apart', () => {
    const requestId = 'nightly-job';
    expect(sizesOf([event(0, { requestId }), event(61, { requestId })])).toEqual([1, 1]);
  });

  it('should not group sign-ins', () => {
    expect(sizesOf([0, 1, 2, 3].map((seconds) => event(seconds, { action: 'sign-in' })))).toEqual([1, 1, 1, 1]);
  });

  it('should keep the order and every event', () => {
    const events = [event(0, { action: 'sign-in' }), event(1), event(2), event(3), event(4, { actor: bob })];
    expect(groupEvents(events).flat()).toEqual(events);
  });
});
