import { Admission, type CountedLimit } from './admission.js';
import { RememberedLimits } from './remembered-limits.js';

const manyRequests = 5;
const now = Date.UTC(2026, 10, 15, 12);
const budget = (fields: Partial<CountedLimit> = {}): CountedLimit => ({
  ...{ ownerId: 'key', metric: 'tokens', counterMetric: 'tokens', counter: 'key tokens month', per: 'month' },
  ...{ max: 100_000, charged: 0, reserved: 0, resetsAt: Date.UTC(2026, 11, 1) },
  ...fields,
});
const decide = (...limits: CountedLimit[]) => new Admission('key', 'organization', now, 7, true, limits);

/** Decides about the requests of a busy key. */
function decideOften(...limits: CountedLimit[]): RememberedLimits {
  const remembered = new RememberedLimits();
  for (let sent = 0; sent < manyRequests; sent++) remembered.remember('hash', 'digest', decide(...limits));
  return remembered;
}
const admit = (remembered: RememberedLimits, digest = 'digest') =>
  remembered.admit('hash', digest, 'key', 'organization');

describe('The limits of a busy key', () => {
  it('should admit its requests as long as they are the same', () => {
    const remembered = decideOften(budget());
    expect(remembered.has('hash')).toBe(true);
    expect(admit(remembered)).toMatchObject({ isAdmitted: true, states: [budget()] });
    expect(admit(remembered, 'another digest')).toBeUndefined();
  });

  it('should show what its requests have used in the meantime', () => {
    const remembered = decideOften(budget());
    const admission = admit(remembered);
    const held = { tokens: 50, pages: 0, cost: 0 };
    const counts = [{ limit: budget(), held: 50, generation: 7 }];
    const reservation = {
      at: now,
      counts,
      model: 'small',
      held,
      charged: { tokens: 0, pages: 0 },
      outputLimit: undefined,
    };
    admission?.reservations.push(reservation);
    admission?.onUse?.(() => ({ tokens: 20, pages: 0, cost: 0 }));
    expect(admit(remembered)?.states).toEqual([budget({ charged: 20 })]);
  });

  it.each([
    ['counts requests', budget({ metric: 'requests', counterMetric: 'requests' })],
    ['counts running requests', { ...budget(), metric: 'concurrency' as const, counterMetric: 'concurrency' }],
    ['refills', budget({ per: 'minute' })],
    ['is nearly used up', budget({ charged: 99_500 })],
    ['starts again within seconds', budget({ resetsAt: now + 4000 })],
  ])('should be read for each request if one %s', (_reason, limit) => {
    expect(decideOften(budget(), limit).has('hash')).toBe(false);
  });

  it('should be read for each request if they may change by themselves', () => {
    const remembered = decideOften(budget());
    remembered.remember('hash', null, decide(budget()));
    expect(remembered.has('hash')).toBe(false);
  });
});

describe('The limits of a key that sends few requests', () => {
  it('should be read for each of them', () => {
    const remembered = new RememberedLimits();
    remembered.remember('hash', 'digest', decide(budget()));
    expect(remembered.has('hash')).toBe(false);
  });
});
