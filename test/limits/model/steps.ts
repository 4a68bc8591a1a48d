import fc from 'fast-check';
import { isBudget } from '../../../src/common/rules/limit-rules.js';
import { type ModelDemand, type ModelLimit, nameOf } from './admission-model.js';

const priceScale = 10n ** 12n;
/** Clocks change at midnight in Havana, and before it in Santiago. */
const zones = ['UTC', 'America/Havana', 'America/Santiago', 'Asia/Kathmandu', 'Pacific/Auckland'];
/** At the end of a week and a month, around changes of clocks, and in an hour that occurs twice. */
const starts = [
  { timeZone: 'UTC', start: Date.UTC(2026, 0, 31, 12) },
  { timeZone: 'Asia/Kathmandu', start: Date.UTC(2026, 1, 28, 12) },
  { timeZone: 'America/Havana', start: Date.UTC(2026, 2, 7, 20) },
  { timeZone: 'America/Santiago', start: Date.UTC(2026, 3, 4, 20) },
  { timeZone: 'Pacific/Auckland', start: Date.UTC(2026, 3, 4, 6) },
  { timeZone: 'America/Santiago', start: Date.UTC(2026, 8, 5, 20) },
  { timeZone: 'America/Havana', start: Date.UTC(2026, 10, 1, 3, 30) },
  { timeZone: 'America/Havana', start: Date.UTC(2026, 10, 1, 4, 10) },
];

const owner = fc.constantFrom('a', 'b', 'organization');
const someModels = fc.constantFrom(undefined, undefined, ['m1'], ['m1', 'm2']);
const limitOf = (metric: ModelLimit['metric'], periods: readonly ModelLimit['per'][], least: number, most: number) =>
  fc
    .record({ owner, per: fc.constantFrom(...periods), models: someModels, max: fc.integer({ min: least, max: most }) })
    .map(({ per, models, ...limit }): ModelLimit => ({
      ...limit,
      metric,
      ...(per !== undefined && { per }),
      ...(models !== undefined && { models }),
    }));
const someLimit = fc.oneof(
  { weight: 4, arbitrary: limitOf('tokens', ['day', 'week', 'month'], 100, 3000) },
  { weight: 2, arbitrary: limitOf('tokens', ['minute'], 100, 2000) },
  { weight: 4, arbitrary: limitOf('cost', ['day', 'week', 'month'], 300, 9000) },
  { weight: 1, arbitrary: limitOf('requests', ['second'], 1, 10) },
  { weight: 2, arbitrary: limitOf('requests', ['day', 'week'], 1, 10) },
  { weight: 2, arbitrary: limitOf('concurrency', [undefined], 1, 6) },
);

const someAmount = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 400 }));
export const someDemand = fc
  .record({
    model: fc.constantFrom('m1', 'm2'),
    input: someAmount,
    output: fc.oneof(fc.constant(0), someAmount),
    least: fc.integer({ min: 1, max: 32 }),
    choices: fc.integer({ min: 1, max: 3 }),
    price: fc.constantFrom(0n, 3n * priceScale, 7_500_000_000_000n, 123_456_789_012n),
    isExact: fc.boolean(),
  })
  .map(({ model, input, output, least, isExact, ...rest }): ModelDemand => {
    const [choices, price] = output === 0 ? [1, 0n] : [rest.choices, rest.price];
    const outputCost = (BigInt(output * choices) * price + priceScale - 1n) / priceScale;
    const most = { tokens: input + output * choices, cost: input * 3 + Number(outputCost) };
    const estimate = isExact ? undefined : Math.ceil(most.tokens / 4);
    return { model, most, estimate, output, leastOutput: Math.min(output, least), choices, price };
  });
const someShare = fc.option(fc.double({ min: 0, max: 1.1, noNaN: true }), { nil: undefined });
const stalled = fc.option(fc.nat({ max: 2 }), { nil: undefined });
/** Moments, the time in which holds expire, half a day, and weeks. */
const somePause = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 3000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 10_000, max: 50_000 }) },
  { weight: 2, arbitrary: fc.constantFrom(3_600_000, 43_200_000, 9 * 86_400_000) },
);

/** What happens to three replicas. `pick` chooses among what exists then. */
export const someStep = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('arrive'),
      key: fc.constantFrom('a', 'b'),
      replica: fc.nat({ max: 2 }),
    }),
  },
  { weight: 9, arbitrary: fc.record({ kind: fc.constant('demand'), pick: fc.nat(), demand: someDemand }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('demand more'),
      pick: fc.nat(),
      demand: someDemand,
      /** Of what the first attempt holds; undefined if it used nothing. */
      abandonedShare: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('end'),
      pick: fc.nat(),
      share: someShare,
      isRefunded: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('pass'), milliseconds: somePause, stalled }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill'), replica: fc.nat({ max: 2 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('change'),
      pick: fc.nat(),
      how: fc.constantFrom('raise', 'lower', 'increase', 'remove', 'add'),
      factor: fc.double({ min: 0.1, max: 1, noNaN: true }),
      seconds: fc.integer({ min: 1, max: 60 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('move'), timeZone: fc.constantFrom(...zones) }) },
);

export type Step =
  | { kind: 'arrive'; key: string; replica: number }
  | { kind: 'demand'; pick: number; demand: ModelDemand }
  | { kind: 'demand more'; pick: number; demand: ModelDemand; abandonedShare: number | undefined }
  | { kind: 'end'; pick: number; share: number | undefined; isRefunded: boolean }
  | { kind: 'pass'; milliseconds: number; stalled: number | undefined }
  | { kind: 'kill'; replica: number }
  | { kind: 'change'; pick: number; how: ChangeKind; factor: number; seconds: number }
  | { kind: 'move'; timeZone: string };
export type ChangeKind = 'raise' | 'lower' | 'increase' | 'remove' | 'add';

/** Limits that exist from the beginning, limits that may be added, and what happens. */
export const someRound = fc.record({
  place: fc.constantFrom(...starts),
  limits: fc.uniqueArray(someLimit, { selector: nameOf, minLength: 3, maxLength: 9 }),
  steps: fc.array(someStep, { minLength: 40, maxLength: 80 }),
});

/**
 * The limit after a change; undefined if it can't be changed in this way. Limits that refill keep their maximum, because a
 * new one also applies to the time that has passed since they were used.
 */
export function changed(
  limit: ModelLimit,
  { how, factor, seconds }: Extract<Step, { kind: 'change' }>,
  now: number,
): ModelLimit | undefined {
  if (limit.per !== undefined && !isBudget(limit)) return undefined;
  const part = Math.max(1, Math.round(limit.max * factor));
  switch (how) {
    case 'raise':
      return { ...limit, max: limit.max + part };
    case 'lower':
      return { ...limit, max: part };
    case 'increase':
      return { ...limit, increase: { by: part, until: now + seconds * 1000 } };
    case 'remove':
    case 'add':
      return undefined;
  }
}
