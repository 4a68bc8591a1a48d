import { Logger } from '@nestjs/common';
import { Admission, type CountedLimit, type Counted } from './admission.js';
import { DatabaseClock } from './database-clock.js';
import { IdleHolds } from './idle-holds.js';

const now = Date.UTC(2026, 10, 15, 12);
const endOfMonth = Date.UTC(2026, 11, 1);
const generationMilliseconds = 15_000;
const demand = { model: 'small', tokens: 10, pages: 0, cost: 0 };
/** Many enough for a budget to be busy. */
const manyRequests = 5;

const budget = (fields: Partial<CountedLimit> = {}): CountedLimit => ({
  ...{ ownerId: 'key', metric: 'tokens', counterMetric: 'tokens', counter: 'key tokens month', per: 'month' },
  ...{ max: 100_000, charged: 0, reserved: 0, resetsAt: endOfMonth },
  ...fields,
});
const arriveWith = (...limits: CountedLimit[]) => new Admission('key', 'organization', now, 0, true, limits);

const logger = new Logger('Test');

/** Holds of a month's budget, left by as many requests as make it busy. */
function leaveHolds(limit: CountedLimit, time = now) {
  const clock = new DatabaseClock();
  clock.set(time);
  const released: number[] = [];
  const release = (all: readonly Counted[]) => {
    released.push(...all.flatMap(({ counts }) => counts.map(({ held }) => held)));
    return Promise.resolve();
  };
  const holds = new IdleHolds(clock, release, logger);
  const held: Counted = { at: time, counts: [{ limit, held: 10, generation: clock.generation }] };
  const kept = Array.from({ length: manyRequests }, () => holds.keep(arriveWith(limit), held));
  for (const one of kept) holds.add(one);
  return { holds, clock, released };
}
const heldBy = (counted: Counted | undefined) => counted?.counts.map(({ held }) => held);

describe('What requests of a busy key have held', () => {
  it('should be taken over by the next one, once', () => {
    const { holds } = leaveHolds(budget());
    expect(heldBy(holds.take(arriveWith(budget()), demand))).toEqual([10]);
    expect(holds.take(arriveWith(budget()), demand)).toBeUndefined();
  });

  it('should stay only as long as requests take it over', async () => {
    const { holds, released } = leaveHolds(budget());
    await holds.releaseUnused();
    expect(released).toEqual([]);
    await holds.releaseUnused();
    expect(released).toEqual([10]);
    await holds.releaseAll();
    expect(released).toEqual([10]);
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

  it('should be released when its generation is over', async () => {
    const { holds, clock, released } = leaveHolds(budget());
    clock.set(now + generationMilliseconds);
    expect(holds.take(arriveWith(budget()), demand)).toBeUndefined();
    await holds.releaseUnused();
    expect(released).toEqual([10]);
  });

  it('should expire if the request could not be settled', async () => {
    const { holds, released } = leaveHolds(budget());
    await holds.releaseAll();
    const held = { at: now, counts: [{ limit: budget(), held: 10, generation: Infinity }] };
    const kept = holds.keep(arriveWith(budget()), held);
    expect(heldBy(kept)).toEqual([10]);
    holds.forget(kept);
    await holds.releaseAll();
    expect(released).toEqual([10]);
  });

  it('should be released at once if the service is stopping', async () => {
    const { holds, released } = leaveHolds(budget());
    const held = { at: now, counts: [{ limit: budget(), held: 10, generation: Infinity }] };
    await holds.releaseAll();
    const kept = holds.keep(arriveWith(budget()), held);
    holds.stop();
    holds.add(kept);
    expect(released).toEqual([10, 10]);
    expect(holds.keep(arriveWith(budget()), held).counts).toEqual([]);
  });
});

describe('What requests of a key have held that sends few', () => {
  it('should not stay', () => {
    const holds = new IdleHolds(new DatabaseClock(), () => Promise.resolve(), logger);
    const held = { at: now, counts: [{ limit: budget(), held: 10, generation: Infinity }] };
    expect(holds.keep(arriveWith(budget()), held).counts).toEqual([]);
  });
});
