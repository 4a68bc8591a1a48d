import fc from 'fast-check';
import { fromInteger } from '../../src/common/money/decimal.js';
import { isBudget, maxConcurrency, maxLimit, metrics, periodsOf } from '../../src/common/rules/limit-rules.js';
import type { LimitDto } from '../../src/limits/dto/limit.dto.js';

/** Costs as clients write them, also with zeros at the end. */
const cost = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 18n }), fc.integer({ min: 0, max: 3 }))
  .map(([billionths, zeros]) => withZeros(fromInteger(billionths, 9), zeros));

function withZeros(decimal: string, zeros: number): string {
  const [whole, fraction = ''] = decimal.split('.');
  const longer = fraction.padEnd(Math.min(9, fraction.length + zeros), '0');
  return longer === '' ? decimal : `${whole}.${longer}`;
}

const amountOf = (metric: LimitDto['metric']): fc.Arbitrary<number | string> => {
  if (metric === 'cost') return cost;
  return fc.integer({ min: 1, max: metric === 'concurrency' ? maxConcurrency : maxLimit });
};

const modelIds = fc.uniqueArray(fc.constantFrom('gpt-mini', 'a/b', 'ä', '"', '\\', '模型', 'B', 'a'), { minLength: 1 });

const until = fc.tuple(fc.integer({ min: 946_771_200, max: 32_503_500_000 }), fc.constantFrom('Z', '+05:30', '-11:00'));

/** A limit that requests can set, with every kind of optional field. */
export const arbitraryLimit: fc.Arbitrary<LimitDto> = fc
  .constantFrom(...metrics)
  .chain((metric) =>
    fc.record({
      metric: fc.constant(metric),
      per: metric === 'concurrency' ? fc.constant(undefined) : fc.constantFrom(...periodsOf(metric)),
      max: amountOf(metric),
      models: fc.option(modelIds, { nil: undefined }),
      increase: fc.option(fc.record({ by: amountOf(metric), until: until.map(toInstant) }), { nil: undefined }),
      notifyAt: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 10 }), {
        nil: undefined,
      }),
    }),
  )
  .map((limit) => withoutUnset(isBudget(limit) ? limit : { ...limit, notifyAt: undefined }));

function toInstant([seconds, offset]: [number, string]): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', offset);
}

function withoutUnset(limit: { [Field in keyof LimitDto]: LimitDto[Field] | undefined }): LimitDto {
  return Object.fromEntries(Object.entries(limit).filter(([, value]) => value !== undefined)) as unknown as LimitDto;
}

/** What tells limits apart. */
export function identityOf({ metric, per, models }: Pick<LimitDto, 'metric' | 'per' | 'models'>): string {
  return JSON.stringify([metric, per, models?.toSorted()]);
}
