import 'reflect-metadata';
import fc from 'fast-check';
import { arbitraryLimit, identityOf } from '../../../test/factories/arbitrary-limits.js';
import { AppError } from '../../common/errors/app-error.js';
import { maxLimits, metrics, periodsOf } from '../../common/rules/limit-rules.js';
import { RequestValidationPipe } from '../../common/validation/validation.pipe.js';
import { toStoredLimits } from '../stored-limits.js';
import { amountRuleOf } from './limit-amounts.js';
import { type LimitDto, LimitsField } from './limit.dto.js';

class Settings {
  @LimitsField('Limits.')
  limits?: LimitDto[];
}

const validate = (limits: unknown) =>
  new RequestValidationPipe().transform({ limits }, { type: 'body', metatype: Settings }) as Promise<Settings>;

const errorOf = (limits: unknown) =>
  validate(limits).then(
    () => undefined,
    (error: unknown) => (error instanceof AppError ? error.fields : error),
  );

const lists = fc.uniqueArray(arbitraryLimit, { selector: identityOf, maxLength: maxLimits });

const almostLimit = fc.record(
  {
    metric: fc.oneof(fc.constantFrom(...metrics), fc.string()),
    per: fc.oneof(fc.constantFrom('second', 'day', 'week'), fc.string()),
    max: fc.oneof(fc.integer({ min: -1, max: 2 }), fc.double(), fc.constantFrom('1', '0', '1e5'), fc.jsonValue()),
    models: fc.oneof(fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 3 }), fc.jsonValue()),
    increase: fc.oneof(fc.record({ by: fc.constantFrom(1, '1', 0), until: fc.string() }), fc.jsonValue()),
    notifyAt: fc.oneof(fc.array(fc.integer({ min: -1, max: 101 }), { maxLength: 3 }), fc.jsonValue()),
  },
  { requiredKeys: [] },
);

describe('LimitsField', () => {
  it('should accept all different limits, and store them in one order', async () => {
    const shuffled = lists.chain((limits) =>
      fc.tuple(fc.constant(limits), fc.shuffledSubarray(limits, { minLength: limits.length })),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, async ([limits, others]) => {
        const { limits: accepted = [] } = await validate(limits);
        expect(accepted).toEqual(limits);
        expect(toStoredLimits(accepted)).toEqual(toStoredLimits(others));
      }),
    );
  });

  it('should reject a list with a limit twice, also with its models in another order', async () => {
    const repeated = fc
      .tuple(
        lists.filter(({ length }) => length > 0 && length < maxLimits),
        fc.nat(),
      )
      .map(([limits, place]) => {
        const one = limits[place % limits.length];
        return one === undefined ? [] : [...limits, { ...one, ...(one.models && { models: one.models.toReversed() }) }];
      });
    await fc.assert(
      fc.asyncProperty(repeated, (limits) => expect(validate(limits)).rejects.toMatchObject({ status: 400 })),
    );
  });

  it('should accept no other values, and start each message with the field', async () => {
    const values = fc.oneof(
      fc.jsonValue(),
      fc.array(fc.oneof(almostLimit, arbitraryLimit, fc.jsonValue()), { maxLength: 4 }),
    );
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        const result = await validate(value).catch((error: unknown) => error);
        if (result instanceof AppError) {
          expect(result.status).toBe(400);
          for (const { field, message } of result.fields) expect(message).toMatch(field);
          return;
        }
        const { limits = [] } = result as Settings;
        for (const limit of limits) {
          expect(metrics).toContain(limit.metric);
          expect(limit.metric === 'concurrency' ? [undefined] : periodsOf(limit.metric)).toContain(limit.per);
          expect(amountRuleOf(limit.metric).isAllowed(limit.max)).toBe(true);
          if (limit.increase) expect(amountRuleOf(limit.metric).isAllowed(limit.increase.by)).toBe(true);
        }
        expect(new Set(limits.map(identityOf)).size).toBe(limits.length);
        // It can be stored.
        toStoredLimits(limits);
      }),
      { numRuns: 500 },
    );
  });

  const perMonth = { metric: 'cost', per: 'month', max: '25.00' };
  const perMinute = { metric: 'requests', per: 'minute', max: 600 };
  const instant = 'must be a date and time with a UTC offset, such as 2026-01-31T09:30:00Z, in the years 2000 to 2999.';
  const amount = 'must be an integer between 1 and 1000000000000.';
  const decimal = 'must be a decimal string above 0 and at most 1000000000, with up to 9 decimals, such as "25.00".';
  const models = 'must be null or a list of 1 to 100 model ids of 1 to 200 characters, each once.';
  const percentages = 'must be null or a list of at most 10 integers between 1 and 100, each once.';

  it.each<[field: string, limit: object, problem: string]>([
    ...['1e5', ' 5', '5 ', '-1', '+1', '0', '0.000000000', '', '.', '5.', '.5', '05', '1,5', '1_000', '0x10', '٥'].map(
      (max): [string, object, string] => ['max', { ...perMonth, max }, decimal],
    ),
    ...['1.0000000001', '1000000000.000000001', '1000000001', '9'.repeat(5000), 'NaN', 'Infinity', 5, 0.5, 1e21].map(
      (max): [string, object, string] => ['max', { ...perMonth, max }, decimal],
    ),
    ...[0, -1, 1.5, 1e12 + 1, 1e21, NaN, '600', '25.00', null, undefined, true, [1]].map(
      (max): [string, object, string] => ['max', { ...perMinute, max }, amount],
    ),
    ...[0, 1_000_001, '5', 2.5].map((max): [string, object, string] => [
      'max',
      { metric: 'concurrency', max },
      'must be an integer between 1 and 1000000.',
    ]),
    ['per', { metric: 'concurrency', per: 'day', max: 1 }, 'must be omitted for concurrency.'],
    ['per', { metric: 'concurrency', per: null, max: 1 }, 'must be omitted for concurrency.'],
    ['per', { ...perMonth, per: 'hour' }, 'must be one of day, week, month for cost.'],
    ['per', { metric: 'requests', max: 1 }, 'must be one of second, minute, hour, day, week, month.'],
    [
      'per',
      { ...perMinute, metric: 'tokens', per: 'second' },
      'must be one of minute, hour, day, week, month for tokens.',
    ],
    ['models', { ...perMinute, models: [] }, models],
    ['models', { ...perMinute, models: ['a', 'a'] }, models],
    ['models', { ...perMinute, models: ['', 'a'] }, models],
    ['models', { ...perMinute, models: ['a\n'] }, models],
    ['models', { ...perMinute, models: [1] }, models],
    ['models', { ...perMinute, models: 'a' }, models],
    ['models', { ...perMinute, models: Array.from({ length: 101 }, (_, index) => `model-${index}`) }, models],
    ['increase', { ...perMinute, increase: 5 }, 'must be null or an object with by and until.'],
    ['increase', { ...perMinute, increase: [] }, 'must be null or an object with by and until.'],
    ['increase.by', { ...perMinute, increase: { by: '5', until: '2026-12-01T00:00Z' } }, amount],
    ['increase.by', { ...perMonth, increase: { by: 5, until: '2026-12-01T00:00Z' } }, decimal],
    ['increase.by', { ...perMonth, increase: { until: '2026-12-01T00:00Z' } }, decimal],
    ['increase.until', { ...perMonth, increase: { by: '5', until: '2026-12-01' } }, instant],
    ['increase.until', { ...perMonth, increase: { by: '5', until: '2026-02-30T00:00Z' } }, instant],
    ['increase.until', { ...perMonth, increase: { by: '5', until: '2026-12-01T00:00' } }, instant],
    ['increase.until', { ...perMonth, increase: { by: '5', until: '2000-01-01T00:00+05:30' } }, instant],
    ['increase.until', { ...perMonth, increase: { by: '5', until: 5 } }, instant],
    ['notifyAt', { ...perMonth, notifyAt: [0] }, percentages],
    ['notifyAt', { ...perMonth, notifyAt: [101] }, percentages],
    ['notifyAt', { ...perMonth, notifyAt: [50, 50] }, percentages],
    ['notifyAt', { ...perMonth, notifyAt: [0.5] }, percentages],
    ['notifyAt', { ...perMonth, notifyAt: Array.from({ length: 11 }, (_, index) => index + 1) }, percentages],
    ['notifyAt', { ...perMonth, notifyAt: 50 }, percentages],
    ['notifyAt', { ...perMinute, notifyAt: [50] }, "must be omitted per minute: it's only for day, week, month."],
    [
      'notifyAt',
      { metric: 'concurrency', max: 5, notifyAt: [50] },
      "must be omitted without a period: it's only for day, week, month.",
    ],
  ])('should reject %s of %j', async (field, limit, problem) => {
    const path = `limits.1.${field}`;
    expect(await errorOf([{ ...perMinute, per: 'hour' }, limit])).toEqual([
      { field: path, message: `${path} ${problem}` },
    ]);
  });

  it.each<[limits: object[], message: string]>([
    [[perMonth, { ...perMonth, max: '5' }], 'limits must have at most one limit of cost per month.'],
    [
      [
        { ...perMonth, models: ['b', 'a'] },
        { ...perMonth, models: ['a', 'b'] },
      ],
      'limits must have at most one limit of cost per month for the same models.',
    ],
    [
      [
        { metric: 'concurrency', max: 1 },
        { metric: 'concurrency', max: 2 },
      ],
      'limits must have at most one limit of concurrency.',
    ],
    [
      Array.from({ length: 31 }, (_, index) => ({ ...perMinute, models: [`model-${index}`] })),
      'limits must have at most 30 limits.',
    ],
  ])('should reject %j', async (limits, message) => {
    expect(await errorOf(limits)).toEqual([{ field: 'limits', message }]);
  });

  it('should accept 30 limits on 100 models each', async () => {
    const limits = Array.from({ length: 30 }, (_, number) => ({
      ...perMonth,
      models: Array.from({ length: 100 }, (_, index) => `model-${number}-${index}`),
    }));
    expect((await validate(limits)).limits).toHaveLength(30);
  });

  it('should treat null and an empty list of percentages like fields that are missing', async () => {
    const { limits = [] } = await validate([{ ...perMonth, models: null, increase: null, notifyAt: [] }]);
    expect(toStoredLimits(limits)).toEqual([{ metric: 'cost', per: 'month', max: '25000000000' }]);
  });
});
