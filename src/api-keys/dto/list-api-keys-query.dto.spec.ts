import 'reflect-metadata';
import fc from 'fast-check';
import { ListApiKeysQueryDto } from './list-api-keys-query.dto.js';
import { AppError } from '../../common/errors/app-error.js';
import { RequestValidationPipe } from '../../common/validation/validation.pipe.js';

const pipe = new RequestValidationPipe();
const parse = (query: unknown) =>
  pipe.transform(query, { type: 'query', metatype: ListApiKeysQueryDto }) as Promise<ListApiKeysQueryDto>;

describe('ListApiKeysQueryDto', () => {
  it('should have the specified defaults', async () => {
    expect({ ...(await parse({})) }).toEqual({ page: 1, perPage: 10, order: 'DESC', orderBy: 'createdAt' });
  });

  it('should parse every allowed number', async () => {
    const page = fc.integer({ min: 1, max: 2_147_483_647 });
    const perPage = fc.integer({ min: 1, max: 100 });
    await fc.assert(
      fc.asyncProperty(page, perPage, async (page, perPage) => {
        expect(await parse({ page: String(page), perPage: String(perPage) })).toMatchObject({ page, perPage });
      }),
    );
  });

  it('should return integers within bounds, or a 400 that names the field, for any input', async () => {
    const value = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[-+0-9.e ]{0,6}$/),
      fc.array(fc.string()),
      fc.constantFrom('NaN', 'Infinity', '0x10', '1_000', '٣', '１', 'null', ''),
    );
    const query = fc.record(
      { page: value, perPage: value, order: value, orderBy: value, name: value },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(query, async (sent) => {
        try {
          const { page, perPage, order, orderBy } = await parse(sent);
          expect(Number.isInteger(page) && page >= 1 && page <= 2_147_483_647).toBe(true);
          expect(Number.isInteger(perPage) && perPage >= 1 && perPage <= 100).toBe(true);
          expect(['ASC', 'DESC']).toContain(order);
          expect(['createdAt', 'name', 'lastUsedAt', 'expiresAt']).toContain(orderBy);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          expect(error.code).toBe('validation-failed');
          expect(error.fields.length).toBeGreaterThan(0);
          for (const { field } of error.fields) expect(Object.keys(sent)).toContain(field);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('should reject unknown parameters', async () => {
    const known = ['page', 'perPage', 'order', 'orderBy', 'name'];
    const unknown = fc.string({ minLength: 1 }).filter((field) => !known.includes(field));
    await fc.assert(
      fc.asyncProperty(unknown, async (field) => {
        await expect(parse(Object.fromEntries([[field, '1']]))).rejects.toMatchObject({ fields: [{ field }] });
      }),
      { examples: [['prototype'], ['constructor'], ['__proto__'], ['toString']] },
    );
  });
});
