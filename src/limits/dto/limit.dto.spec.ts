import 'reflect-metadata';
import fc from 'fast-check';
import { AppError } from '../../common/errors/app-error.js';
import { RequestValidationPipe } from '../../common/validation/validation.pipe.js';
import { maxLimit, metrics, periods } from '../../common/rules/limit-rules.js';
import { type Limit, toStoredLimits } from '../limit.js';
import { type LimitDto, LimitsField } from './limit.dto.js';

class Settings {
  @LimitsField('Limits.')
  limits?: LimitDto[];
}

const validate = (limits: unknown) =>
  new RequestValidationPipe().transform({ limits }, { type: 'body', metatype: Settings }) as Promise<Settings>;

const isAllowed = ({ metric, per }: Limit) => metric === 'requests' || per !== 'second';
const nameOf = ({ metric, per }: Limit) => `${metric} ${per}`;

const limit: fc.Arbitrary<Limit> = fc.record({
  metric: fc.constantFrom(...metrics),
  per: fc.constantFrom(...periods),
  max: fc.integer({ min: 1, max: maxLimit }),
});
const almostLimit = fc.record(
  {
    metric: fc.oneof(fc.constantFrom(...metrics), fc.string()),
    per: fc.oneof(fc.constantFrom(...periods), fc.string()),
    max: fc.oneof(fc.integer({ min: -1, max: 2 }), fc.double(), fc.jsonValue()),
  },
  { requiredKeys: [] },
);

describe('LimitsField', () => {
  it('should accept all limits with different metrics and periods, and store them in one order', async () => {
    const lists = fc
      .uniqueArray(limit.filter(isAllowed), { selector: nameOf })
      .chain((limits) => fc.tuple(fc.constant(limits), fc.shuffledSubarray(limits, { minLength: limits.length })));
    await fc.assert(
      fc.asyncProperty(lists, async ([limits, shuffled]) => {
        const { limits: accepted = [] } = await validate(limits);
        expect(toStoredLimits(accepted)).toEqual(toStoredLimits(shuffled));
        expect(accepted).toEqual(limits);
      }),
    );
  });

  it('should reject a list with a limit twice, or one that is not allowed', async () => {
    const lists = fc
      .array(limit, { minLength: 1 })
      .filter((limits) => !limits.every(isAllowed) || new Set(limits.map(nameOf)).size < limits.length);
    await fc.assert(
      fc.asyncProperty(lists, (limits) => expect(validate(limits)).rejects.toMatchObject({ status: 400 })),
    );
  });

  it('should accept no other values, and start each message with the field', async () => {
    const values = fc.oneof(fc.jsonValue(), fc.array(fc.oneof(almostLimit, limit, fc.jsonValue()), { maxLength: 4 }));
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        const result = await validate(value).catch((error: unknown) => error);
        if (result instanceof AppError) {
          expect(result.status).toBe(400);
          for (const { field, message } of result.fields) expect(message).toMatch(field);
        } else {
          const { limits = [] } = result as Settings;
          expect(limits.every((one) => isAllowed(one) && metrics.includes(one.metric))).toBe(true);
          expect(limits.every(({ per, max }) => periods.includes(per) && max >= 1 && max <= maxLimit)).toBe(true);
          expect(limits.every(({ max }) => Number.isInteger(max))).toBe(true);
          expect(new Set(limits.map(nameOf)).size).toBe(limits.length);
        }
      }),
    );
  });
});
