import fc from 'fast-check';
import { ApiKeyVerifierService } from '../../src/api-keys/api-key-verifier.service.js';
import type { ServiceConfig } from '../../src/config/service-config.js';
import { DatabaseHistory } from '../../src/database/history/database-history.service.js';
import { AppError } from '../../src/common/errors/app-error.js';
import type { Limit } from '../../src/limits/limit.js';
import { ReservationsService } from '../../src/limits/reservations.service.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readCounters, setLimits } from '../factories/limits.js';
import { createMember } from '../factories/organizations.js';
import { useTestApp } from '../setup/use-test-app.js';

const rounds = 200;
const service = useTestApp();
/** Each is one replica's connection for looking up keys. */
let verifiers: ApiKeyVerifierService[];
/** Each is one replica's connection for reservations. Requests don't wait. */
let reservations: ReservationsService[];
/** Two organizations with two keys each. */
let organizations: { id: string; keys: CreatedKey[] }[];

beforeAll(async () => {
  const config = { database: service.database, limitWaitSeconds: 0 } as ServiceConfig;
  const history = service.app.get(DatabaseHistory);
  verifiers = [1, 2, 3].map(() => new ApiKeyVerifierService(config, history));
  reservations = [1, 2, 3].map(() => new ReservationsService(config, history));
  organizations = await Promise.all(
    [1, 2].map(async () => {
      const member = await createMember(service);
      const keys = await Promise.all([createApiKey(service, member), createApiKey(service, member)]);
      return { id: member.organizationId, keys };
    }),
  );
});
afterAll(() => Promise.all([...verifiers, ...reservations].map((one) => one.onApplicationShutdown())));

const someMax = fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined });
/** Limits of one round and the requests that arrive in it, by key and replica. */
const someRound = fc.record({
  organizationMaxima: fc.tuple(someMax, someMax),
  keyMaxima: fc.tuple(someMax, someMax, someMax, someMax),
  requests: fc.array(fc.record({ key: fc.nat({ max: 3 }), replica: fc.nat({ max: 2 }), tokens: fc.nat({ max: 9 }) }), {
    minLength: 1,
    maxLength: 120,
  }),
});

const perDay = (metric: Limit['metric'], max: number | undefined): Limit[] =>
  max === undefined ? [] : [{ metric, per: 'day', max }];

/** Sets the limits of a round. */
async function limitAll(metric: Limit['metric'], round: typeof someRound extends fc.Arbitrary<infer R> ? R : never) {
  for (const [place, { id, keys }] of organizations.entries()) {
    await setLimits(service, { organizationId: id }, perDay(metric, round.organizationMaxima[place]));
    for (const [number, key] of keys.entries()) {
      await setLimits(service, { keyId: key.id }, perDay(metric, round.keyMaxima[2 * place + number]));
    }
  }
}

const keyAt = (index: number) => organizations[index >> 1]?.keys[index % 2];

describe('Three replicas asked at once', () => {
  it('should admit exactly as many requests as the limits of keys and organizations allow', async () => {
    const property = fc.asyncProperty(someRound, async (round) => {
      await limitAll('requests', round);
      const admitted = [0, 0, 0, 0];
      const rejected = [0, 0, 0, 0];
      await Promise.all(
        round.requests.map(async ({ key, replica }) => {
          const found = await verifiers[replica]?.verify(keyAt(key)?.key ?? '');
          const isAdmitted = found !== undefined && found.admission?.isAdmitted !== false;
          const counts = isAdmitted ? admitted : rejected;
          counts[key] = (counts[key] ?? 0) + 1;
        }),
      );
      for (const [place, organizationMax = Infinity] of round.organizationMaxima.entries()) {
        const keys = [2 * place, 2 * place + 1];
        const total = keys.reduce((sum, key) => sum + (admitted[key] ?? 0), 0);
        expect(total).toBeLessThanOrEqual(organizationMax);
        for (const key of keys) {
          const max = round.keyMaxima[key] ?? Infinity;
          expect(admitted[key]).toBeLessThanOrEqual(max);
          // No request is rejected while both limits have room.
          if (rejected[key]) expect(admitted[key] === max || total === organizationMax).toBe(true);
        }
      }
    });
    await fc.assert(property, { numRuns: rounds, endOnFailure: true });
  });

  it('should reserve at most what the limits allow, and reject only what does not fit', async () => {
    const property = fc.asyncProperty(someRound, async (round) => {
      await limitAll('tokens', round);
      const reserved = [0, 0, 0, 0];
      const rejected: { key: number; tokens: number }[] = [];
      await Promise.all(
        round.requests.map(async ({ key, replica, tokens }) => {
          const found = await verifiers[replica]?.verify(keyAt(key)?.key ?? '', { uses: 'tokens', address: null });
          if (found?.admission === undefined) return;
          try {
            await reservations[replica]?.reserve(
              found.admission,
              { model: 'some-model', tokens, pages: 0, cost: 0 },
              {},
            );
            reserved[key] = (reserved[key] ?? 0) + tokens;
          } catch (error) {
            const isExpected = error instanceof AppError && /^(limit-reserved|larger-than-budget)$/.test(error.code);
            if (!isExpected) throw error;
            rejected.push({ key, tokens });
          }
        }),
      );
      for (const [place, { id }] of organizations.entries()) {
        const organizationMax = round.organizationMaxima[place] ?? Infinity;
        const [first = 0, second = 0] = reserved.slice(2 * place);
        expect(first + second).toBeLessThanOrEqual(organizationMax);
        if (organizationMax < Infinity) {
          expect((await readCounters(service, id))['tokens/day']).toEqual([0, first + second]);
        }
        for (const key of [2 * place, 2 * place + 1]) {
          const max = round.keyMaxima[key] ?? Infinity;
          expect(reserved[key]).toBeLessThanOrEqual(max);
          const room = Math.min(max - (reserved[key] ?? 0), organizationMax - first - second);
          const fitting = rejected.filter((one) => one.key === key && one.tokens <= room);
          expect(fitting).toEqual([]);
        }
      }
    });
    await fc.assert(property, { numRuns: rounds / 4, endOnFailure: true });
  });

  it('should refill a limit per second continuously, and never admit more than it holds and refills', async () => {
    const [key] = organizations[0]?.keys ?? [];
    if (key === undefined) throw new Error('There is no key.');
    await limitAll('requests', {
      organizationMaxima: [undefined, undefined],
      keyMaxima: [50, undefined, undefined, undefined],
      requests: [],
    });
    await setLimits(service, { keyId: key.id }, [{ metric: 'requests', per: 'second', max: 50 }]);
    const start = performance.now();
    let admitted = 0;
    while (admitted < 150) {
      const found = await Promise.all(verifiers.map((verifier) => verifier.verify(key.key)));
      admitted += found.filter((one) => one?.admission?.isAdmitted === true).length;
    }
    const seconds = (performance.now() - start) / 1000;
    expect(admitted).toBeLessThanOrEqual(50 + 50 * seconds + 1);
  });
});
