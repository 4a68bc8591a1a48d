import fc from 'fast-check';
import { ApiKeyVerifierService } from '../../src/api-keys/api-key-verifier.service.js';
import type { ServiceConfig } from '../../src/config/service-config.js';
import type { Limit } from '../../src/limits/limit.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readCounters, setLimits } from '../factories/limits.js';
import { createMember } from '../factories/organizations.js';
import { useTestApp } from '../setup/use-test-app.js';

const rounds = 200;
const service = useTestApp();
/** Each is one replica's connection for looking up keys. */
let verifiers: ApiKeyVerifierService[];
/** Two organizations with two keys each. */
let organizations: { id: string; keys: CreatedKey[] }[];

beforeAll(async () => {
  const config = { database: service.database } as ServiceConfig;
  verifiers = [1, 2, 3].map(() => new ApiKeyVerifierService(config));
  organizations = await Promise.all(
    [1, 2].map(async () => {
      const member = await createMember(service);
      const keys = await Promise.all([createApiKey(service, member), createApiKey(service, member)]);
      return { id: member.organizationId, keys };
    }),
  );
});
afterAll(() => Promise.all(verifiers.map((verifier) => verifier.onApplicationShutdown())));

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
    for (const round of fc.sample(someRound, { numRuns: rounds, seed: 13 })) {
      await limitAll('requests', round);
      const admitted = [0, 0, 0, 0];
      const rejected = [0, 0, 0, 0];
      await Promise.all(
        round.requests.map(async ({ key, replica }) => {
          const found = await verifiers[replica]?.verify(keyAt(key)?.key ?? '');
          const isAdmitted = found !== undefined && (found.admission === undefined || found.admission.reservation);
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
    }
  });

  it('should reserve at most what the limits allow, and reject only if nothing is left', async () => {
    for (const round of fc.sample(someRound, { numRuns: rounds / 4, seed: 14 })) {
      await limitAll('tokens', round);
      const reserved = [0, 0, 0, 0];
      const rejected = [0, 0, 0, 0];
      await Promise.all(
        round.requests.map(async ({ key, replica, tokens }) => {
          const found = await verifiers[replica]?.verify(keyAt(key)?.key ?? '', { tokens, pages: 0, address: null });
          if (found?.admission === undefined) return;
          const { reservation } = found.admission;
          if (reservation === undefined) rejected[key] = (rejected[key] ?? 0) + 1;
          reserved[key] = (reserved[key] ?? 0) + (reservation?.tokens ?? 0);
        }),
      );
      for (const [place, { id }] of organizations.entries()) {
        const organizationMax = round.organizationMaxima[place];
        const [first = 0, second = 0] = reserved.slice(2 * place);
        if (organizationMax !== undefined) {
          expect(first + second).toBeLessThanOrEqual(organizationMax);
          expect((await readCounters(service, id))['tokens/day']).toEqual([0, first + second]);
        }
        for (const key of [2 * place, 2 * place + 1]) {
          const max = round.keyMaxima[key];
          if (max !== undefined) expect(reserved[key]).toBeLessThanOrEqual(max);
          if (rejected[key]) expect(reserved[key] === max || first + second === organizationMax).toBe(true);
        }
      }
    }
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
      admitted += found.filter((one) => one?.admission?.reservation !== undefined).length;
    }
    const seconds = (performance.now() - start) / 1000;
    expect(admitted).toBeLessThanOrEqual(50 + 50 * seconds + 1);
  });
});
