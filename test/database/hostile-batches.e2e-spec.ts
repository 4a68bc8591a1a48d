import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { generateApiKey } from '../../src/api-keys/api-key.token.js';
import { ApiKeyVerifierService } from '../../src/api-keys/api-key-verifier.service.js';
import { normalizeAddress } from '../../src/common/http/client-address.js';
import type { Admission, AdmissionDemand } from '../../src/limits/admission.js';
import { metrics, periods } from '../../src/common/rules/limit-rules.js';
import type { Demand } from '../../src/limits/amounts.js';
import type { SettledRequest } from '../../src/limits/settlements.js';
import { ReservationsService } from '../../src/limits/reservations.service.js';
import type { Failure } from '../../src/usage/failures/failure.js';
import { FailureRecorderService } from '../../src/usage/failures/failure-recorder.service.js';
import { UsageRecorderService } from '../../src/usage/usage-recorder.service.js';
import type { UsageFact } from '../../src/usage/write-usage.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { hostileNumber, hostileText } from '../factories/hostile-values.js';
import { readCounters, setLimits } from '../factories/limits.js';
import { createMember, type Member } from '../factories/organizations.js';
import { readRecordedUsage } from '../setup/recorded-usage.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const numRuns = 25;
const service = useTestApp();
/** The honest tenant and the hostile one. */
let members: [Member, Member];
let honest: CreatedKey;
let hostile: CreatedKey;

beforeEach(async () => {
  members = [await createMember(service), await createMember(service)];
  honest = await createApiKey(service, members[0]);
  hostile = await createApiKey(service, members[1]);
});

const limitTokens = async () => {
  for (const { id } of [honest, hostile]) {
    await setLimits(service, { keyId: id }, [{ metric: 'tokens', per: 'day', max: 1e9 }]);
  }
};
const verify = (key: string, demand: AdmissionDemand) => service.app.get(ApiKeyVerifierService).verify(key, demand);
const admit = async ({ key }: CreatedKey): Promise<Admission> => {
  const admission = (await verify(key, { uses: 'tokens', address: null }))?.admission;
  if (admission?.isAdmitted !== true) throw new Error('The request was not admitted.');
  return admission;
};
const settlementOf = (
  { keyId, organizationId, states, requestCounts, reservations }: Admission,
  used: number,
): SettledRequest => ({
  ...{ keyId, organizationId, limits: states, counted: requestCounts },
  isRefunded: false,
  reservations: reservations.map((reservation) => ({ reservation, used: { tokens: used, pages: 0, cost: 0 } })),
});
const demandOf = (tokens: number): Demand => ({ model: 'some-model', tokens, pages: 0, cost: 0 });

/** Hostile items, and where an honest item is among them. */
const among = <Item>(item: fc.Arbitrary<Item>) =>
  fc.tuple(fc.array(item, { minLength: 1, maxLength: 12 }), fc.nat({ max: 12 }));

/** Starts an honest item among hostile ones, so that they share a batch. */
async function runAmong<Item, Result>(
  [items, place]: [Item[], number],
  startHostile: (item: Item) => Promise<unknown>,
  startHonest: () => Promise<Result>,
): Promise<Result> {
  const before = items.slice(0, place).map(startHostile);
  const result = startHonest();
  const after = items.slice(place).map(startHostile);
  await Promise.allSettled([...before, result, ...after]);
  return result;
}

describe('A request that shares a statement with hostile ones', () => {
  const demand = fc.record({
    uses: fc.constantFrom('tokens' as const, 'pages' as const, undefined),
    address: hostileText.map(normalizeAddress),
  });

  it('should have its key found', async () => {
    const property = fc.asyncProperty(among(demand), async (items) => {
      const find = () => verify(honest.key, { uses: 'tokens', address: null });
      const key = await runAmong(items, (hostileAsk) => verify(generateApiKey(), hostileAsk), find);
      expect(key).toMatchObject({ id: honest.id, isLimited: false });
    });
    await fc.assert(property, { numRuns });
  });

  it('should be admitted and counted', async () => {
    for (const { id } of [honest, hostile]) {
      await setLimits(service, { keyId: id }, [{ metric: 'requests', per: 'day', max: 1e9 }]);
    }
    let counted = 0;
    const property = fc.asyncProperty(among(fc.tuple(fc.boolean(), demand)), async (items) => {
      const admission = await runAmong(
        items,
        ([isKnown, hostileAsk]) => verify(isKnown ? hostile.key : generateApiKey(), hostileAsk),
        () => admit(honest),
      );
      counted += 1;
      expect(admission.isAdmitted).toBe(true);
      expect(await readCounters(service, honest.id)).toEqual({ 'requests/day': [counted, 0] });
    });
    await fc.assert(property, { numRuns });
  });

  it('should reserve what it asks for', async () => {
    await limitTokens();
    const reservations = service.app.get(ReservationsService);
    const property = fc.asyncProperty(
      among(fc.record({ model: hostileText, tokens: hostileNumber, pages: hostileNumber, cost: hostileNumber })),
      async (items) => {
        const [own, other] = [await admit(honest), await admit(hostile)];
        await runAmong(
          items,
          (demand) => reservations.reserve(other, demand, {}),
          () => reservations.reserve(own, demandOf(5), {}),
        );
        expect(own.reservations).toMatchObject([{ held: { tokens: 5 } }]);
        for (const admission of [own, other]) await reservations.end(admission);
      },
    );
    await fc.assert(property, { numRuns });
  });

  it('should have its usage recorded and settled, while requests are accepted', async () => {
    await limitTokens();
    const recorder = service.app.get(UsageRecorderService);
    const reservations = service.app.get(ReservationsService);
    const fact = ({ id }: CreatedKey, { organizationId }: Member, fields: Partial<UsageFact>): UsageFact => ({
      ...{ organizationId, apiKeyId: id, model: 'some-model', outcome: 'success', inputTokens: 3, pages: 0 },
      milliseconds: 10,
      ...fields,
    });
    const hostileAmounts = fc.record({ tokens: hostileNumber, pages: hostileNumber, cost: hostileNumber });
    const hostileLimit = fc.record({
      ownerId: hostileText,
      metric: fc.constantFrom(...metrics),
      counterMetric: hostileText,
      counter: hostileText,
      per: fc.constantFrom(...periods),
      max: hostileNumber,
      charged: hostileNumber,
      reserved: hostileNumber,
      resetsAt: hostileNumber,
      firstNotice: hostileNumber,
    });
    const hostileCount = fc.record({ limit: hostileLimit, held: hostileNumber, generation: hostileNumber });
    const hostileFact = fc.record(
      {
        organizationId: hostileText,
        apiKeyId: hostileText,
        model: hostileText,
        inputTokens: hostileNumber,
        pages: hostileNumber,
        milliseconds: hostileNumber,
        address: hostileText,
        settlement: fc.record({
          keyId: hostileText,
          organizationId: hostileText,
          limits: fc.array(hostileLimit),
          isRefunded: fc.boolean(),
          counted: fc.array(fc.record({ at: hostileNumber, counts: fc.array(hostileCount) })),
          reservations: fc.array(
            fc.record({
              reservation: fc.record({
                at: hostileNumber,
                counts: fc.array(hostileCount),
                model: hostileText,
                held: hostileAmounts,
                charged: fc.record({ tokens: hostileNumber, pages: hostileNumber }),
                outputLimit: fc.constant(undefined),
              }),
              used: fc.option(hostileAmounts),
            }),
          ),
        }),
      },
      { requiredKeys: [] },
    );
    let requests = 0;
    const property = fc.asyncProperty(among(hostileFact), async (items) => {
      const admission = await admit(honest);
      await reservations.reserve(admission, demandOf(7), {});
      await reservations.end(admission);
      const settlement = settlementOf(admission, 3);
      await runAmong(
        items,
        (fields) => recorder.record(fact(hostile, members[1], fields)),
        () => recorder.record(fact(honest, members[0], { settlement })),
      );
      requests += 1;
      expect(recorder.refusal).toBeUndefined();
      expect(await readCounters(service, honest.id)).toEqual({ 'tokens/day': [3 * requests, 0] });
    });
    await fc.assert(property, { numRuns });
    const usage = await readRecordedUsage(service, [honest.id]);
    expect(usage.get(honest.id)).toEqual({ requests, failures: 0, inputTokens: 3 * requests, pages: 0 });
  });

  it('should have its failure recorded', async () => {
    const recorder = service.app.get(FailureRecorderService);
    const failure = (apiKeyId: string, fields: Partial<Failure> = {}): Failure => ({
      ...{ key: { apiKeyId }, occurredAt: new Date(), route: 'POST /v1/ocr', model: '', requestedModel: null },
      ...{
        status: 404,
        code: 'model-not-found',
        invalidFields: [],
        exceededLimit: null,
        requestId: 'r',
        address: null,
      },
      ...fields,
    });
    const hostileFailure = fc.record(
      {
        key: fc.oneof(fc.record({ apiKeyId: hostileText }), fc.record({ keyHash: hostileText })),
        occurredAt: fc.constantFrom(new Date(NaN), new Date(8.64e15), new Date(-8.64e15)),
        route: hostileText,
        model: hostileText,
        requestedModel: hostileText,
        status: hostileNumber,
        invalidFields: fc.array(hostileText, { maxLength: 3 }),
        exceededLimit: fc.constant({
          owner: 'api-key',
          metric: 'tokens',
          per: 'day',
          max: NaN,
          needed: 2 ** 64,
        } as const),
        requestId: hostileText,
        address: hostileText,
      },
      { requiredKeys: [] },
    );
    const property = fc.asyncProperty(among(hostileFailure), async (items) => {
      const requestId = randomUUID();
      // Also by the same key, in the same group.
      await runAmong(
        items,
        (fields) => {
          recorder.record(failure(hostile.id, fields));
          recorder.record(failure(honest.id, { ...fields, key: { apiKeyId: honest.id }, status: 404 }));
          return Promise.resolve();
        },
        () => Promise.resolve(recorder.record(failure(honest.id, { requestId }))),
      );
      const isRecorded = async () => {
        const rows = await service.query('select from failed_requests where request_id = $1', [requestId]);
        return rows.length === 1;
      };
      await waitFor(isRecorded);
    });
    await fc.assert(property, { numRuns: 10 });
  });
});
