import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { generateApiKey } from '../src/api-keys/api-key.token.js';
import { ApiKeyVerifierService } from '../src/api-keys/api-key-verifier.service.js';
import { normalizeAddress } from '../src/common/http/client-address.js';
import type { Admission, AdmissionAsk } from '../src/limits/admission.js';
import { ReservationsService } from '../src/limits/reservations.service.js';
import type { Failure } from '../src/usage/failures/failure.js';
import { FailureRecorderService } from '../src/usage/failures/failure-recorder.service.js';
import { UsageRecorderService } from '../src/usage/usage-recorder.service.js';
import type { UsageFact } from '../src/usage/write-usage.js';
import { type CreatedKey, createApiKey } from './factories/api-keys.js';
import { hostileNumber, hostileText } from './factories/hostile-values.js';
import { readCounters, setLimits } from './factories/limits.js';
import { createMember, type Member } from './factories/organizations.js';
import { readRecordedUsage } from './setup/recorded-usage.js';
import { useTestApp } from './setup/use-test-app.js';
import { waitFor } from './setup/wait-for.js';

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
const verify = (key: string, ask: AdmissionAsk) => service.app.get(ApiKeyVerifierService).verify(key, ask);
const admit = async ({ key }: CreatedKey, tokens: number): Promise<Admission> => {
  const admission = (await verify(key, { tokens, pages: 0, address: null }))?.admission;
  if (admission === undefined) throw new Error('The key has no limits.');
  return admission;
};

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
  const ask = fc.record({ tokens: hostileNumber, pages: hostileNumber, address: hostileText.map(normalizeAddress) });

  it('should have its key found', async () => {
    const property = fc.asyncProperty(among(ask), async (items) => {
      const find = () => verify(honest.key, { tokens: 1, pages: 0, address: null });
      const key = await runAmong(items, (hostileAsk) => verify(generateApiKey(), hostileAsk), find);
      expect(key).toMatchObject({ id: honest.id, isLimited: false });
    });
    await fc.assert(property, { numRuns });
  });

  it('should be admitted, and charged what it asked for', async () => {
    await limitTokens();
    let charged = 0;
    const property = fc.asyncProperty(among(fc.tuple(fc.boolean(), ask)), async (items) => {
      const admission = await runAmong(
        items,
        ([isKnown, hostileAsk]) => verify(isKnown ? hostile.key : generateApiKey(), hostileAsk),
        () => admit(honest, 7),
      );
      charged += 7;
      expect(admission.reservation).toMatchObject({ tokens: 7 });
      expect(await readCounters(service, honest.id)).toEqual({ 'tokens/day': [0, charged] });
    });
    await fc.assert(property, { numRuns });
  });

  it('should change what it reserves', async () => {
    await limitTokens();
    const reservations = service.app.get(ReservationsService);
    const property = fc.asyncProperty(
      among(fc.record({ tokens: hostileNumber, pages: hostileNumber })),
      async (items) => {
        const [own, other] = [await admit(honest, 1), await admit(hostile, 1)];
        await runAmong(
          items,
          (uses) => reservations.reserveExactly(other, uses, {}),
          () => reservations.reserveExactly(own, { tokens: 5 }, {}),
        );
        expect(own.reservation).toMatchObject({ tokens: 5 });
      },
    );
    await fc.assert(property, { numRuns });
  });

  it('should have its usage recorded and settled, while requests are accepted', async () => {
    await limitTokens();
    const recorder = service.app.get(UsageRecorderService);
    const fact = ({ id }: CreatedKey, { organizationId }: Member, fields: Partial<UsageFact>): UsageFact => ({
      ...{ organizationId, apiKeyId: id, model: 'some-model', outcome: 'success', inputTokens: 3, pages: 0 },
      milliseconds: 10,
      ...fields,
    });
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
          held: fc.record({ generation: hostileNumber, tokens: hostileNumber, pages: hostileNumber }),
          isRefunded: fc.boolean(),
        }),
      },
      { requiredKeys: [] },
    );
    let requests = 0;
    const property = fc.asyncProperty(among(hostileFact), async (items) => {
      const { reservation: held } = await admit(honest, 7);
      if (held === undefined) throw new Error('The request was rejected.');
      const settlement = { held, isRefunded: false };
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
