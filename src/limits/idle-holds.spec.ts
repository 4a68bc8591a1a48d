import { Admission, type CountedLimit, type Counted } from './admission.js';
import { DatabaseClock } from './database-clock.js';
import { IdleHolds } from './idle-holds.js';

const now = Date.UTC(2026, 10, 15, 12);
const endOfMonth = Date.UTC(2026, 11, 1);
const generationMilliseconds = 15_000;
const demand = { model: 'small', tokens: 10, pages: 0, cost: 0 };
/** Many enough for a budget to be busy. */
const manyRequests = 10;

const budget = (fields: Partial<CountedLimit> = {}): CountedLimit => ({
  ...{ ownerId: 'key', metric: 'tokens', counterMetric: 'tokens', per: 'month' },
  ...{ max: 100_000, charged: 0, reserved: 0, resetsAt: endOfMonth },
  ...fields,
});
const arriveWith = (...limits: CountedLimit[]) => new Admission('key', 'organization', now, 0, true, limits);

/** Holds of a month's budget, left by as many requests as make it busy. */
function leaveHolds(limit: CountedLimit, time = now) {
  const clock = new DatabaseClock();
  clock.set(time);
  const holds = new IdleHolds(clock);
  const held: Counted = { at: time, counts: [{ limit, held: 10, generation: clock.generation }] };
  const kept = Array.from({ length: manyRequests }, () => holds.keep(arriveWith(limit), held));
  for (const one of kept) holds.add(one);
  return { holds, clock };
}
const heldBy = (counted: Counted | undefined) => counted?.counts.map(({ held }) => held);
const released = (all: Counted[]) => all.flatMap(({ counts }) => counts.map(({ held }) => held));

describe('What requests of a busy key have held', () => {
  it('should be taken over by the next one, once', () => {
    const { holds } = leaveHolds(budget());
    expect(heldBy(holds.take(arriveWith(budget()), demand))).toEqual([10]);
    expect(holds.take(arriveWith(budget()), demand)).toBeUndefined();
  });

  it('should stay only as long as requests take it over', () => {
    const { holds } = leaveHolds(budget());
    expect(released(holds.takeUnused())).toEqual([]);
    expect(released(holds.takeUnused())).toEqual([10]);
    expect(holds.isEmpty).toBe(true);
  });

  it('should not stay if it is more than a hundredth of what is left', () => {
    const { holds } = leaveHolds(budget({ max: 1000, charged: 1 }));
    expect(holds.take(arriveWith(budget()), demand)).toBeUndefined();
  });

  it.each([
    ['the limit has changed', budget({ max: 50_000 }), demand],
    ['its period is another one', budget({ resetsAt: endOfMonth + 1 }), demand],
    ['it is less than the request needs', budget(), { ...demand, tokens: 11 }],
    ['a limit that refills must decide, too', budget({ per: 'minute', counterMetric: 'tokens' }), demand],
  ])('should not be taken over if %s', (_reason, limit, needed) => {
    const { holds } = leaveHolds(budget());
    expect(holds.take(arriveWith(budget(), limit), needed)).toBeUndefined();
  });

  it('should not be taken over near the end of the period', () => {
    const { holds } = leaveHolds(budget(), endOfMonth - 3000);
    expect(holds.take(arriveWith(budget()), demand)).toBeUndefined();
  });

  it('should be released when its generation is over', () => {
    const { holds, clock } = leaveHolds(budget());
    clock.set(now + generationMilliseconds);
    expect(holds.take(arriveWith(budget()), demand)).toBeUndefined();
    expect(released(holds.takeUnused())).toEqual([10]);
  });

  it('should expire if the request could not be settled', () => {
    const { holds } = leaveHolds(budget());
    const before = released(holds.takeAll());
    const held = { at: now, counts: [{ limit: budget(), held: 10, generation: Infinity }] };
    holds.forget(holds.keep(arriveWith(budget()), held));
    expect([before, released(holds.takeAll())]).toEqual([[10], []]);
  });
});

describe('What requests of a key have held that sends few', () => {
  it('should not stay', () => {
    const holds = new IdleHolds(new DatabaseClock());
    const held = { at: now, counts: [{ limit: budget(), held: 10, generation: Infinity }] };
    expect(holds.keep(arriveWith(budget()), held).counts).toEqual([]);
  });
});
