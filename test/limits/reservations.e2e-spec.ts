import { ApiKeyVerifierService } from '../../src/api-keys/api-key-verifier.service.js';
import type { Admission } from '../../src/limits/admission.js';
import { ReservationsService } from '../../src/limits/reservations.service.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { readCounters, setLimits } from '../factories/limits.js';
import { createMember } from '../factories/organizations.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let key: CreatedKey;
let reservations: ReservationsService;

beforeEach(async () => {
  reservations = service.app.get(ReservationsService);
  key = await createApiKey(service, await createMember(service));
  await setLimits(service, { keyId: key.id }, [{ metric: 'tokens', per: 'day', max: 100 }]);
});

/** Has a request admitted that asks for tokens. */
async function admit(tokens: number): Promise<Admission> {
  const found = await service.app.get(ApiKeyVerifierService).verify(key.key, { tokens, pages: 0, address: null });
  if (found?.admission === undefined) throw new Error('The key has no limits.');
  return found.admission;
}

/** Makes a reservation as old as if it had been made in an earlier generation. */
async function age(admission: Admission, generations: number): Promise<void> {
  const [counter] = await service.query<{ generation: number }>(
    `with aged as (
       update limit_counters set generation = generation - $2 where owner_id = $1 returning generation::int
     ) select generation from aged`,
    [key.id, generations],
  );
  if (admission.reservation === undefined || counter === undefined) throw new Error('Nothing is reserved.');
  admission.reservation = { ...admission.reservation, generation: counter.generation };
}
const tokens = async () => (await readCounters(service, key.id))['tokens/day'];

describe('What a request reserves', () => {
  it('should be as much as is left, if that is less than it asks for', async () => {
    expect((await admit(70)).reservation).toMatchObject({ tokens: 70 });
    expect((await admit(70)).reservation).toMatchObject({ tokens: 30 });
    expect((await admit(70)).reservation).toBeUndefined();
  });

  it('should count until the end of the next generation, and then be free for others', async () => {
    const lost = await admit(100);
    await age(lost, 1);
    expect((await admit(1)).reservation).toBeUndefined();
    await age(lost, 1);
    expect((await admit(1)).reservation).toMatchObject({ tokens: 1 });
    expect(await tokens()).toEqual([0, 1]);
  });

  it('should be renewed while the request runs', async () => {
    const running = await admit(100);
    reservations.start(running);
    for (let renewal = 0; renewal < 3; renewal++) {
      await age(running, 1);
      await reservations.renewAll();
      expect((await admit(1)).reservation).toBeUndefined();
    }
    expect(await reservations.end(running)).toMatchObject({ tokens: 100 });
    await age(running, 2);
    await reservations.renewAll();
    expect((await admit(1)).reservation).toMatchObject({ tokens: 1 });
  });

  it('should become the exact amount, or stay unchanged if that exceeds a limit', async () => {
    const other = await admit(60);
    const request = await admit(10);
    const usage: { isLimited?: true } = {};
    await expect(reservations.reserveExactly(request, { tokens: 41 }, usage)).rejects.toMatchObject({
      code: 'budget-exceeded',
      message: expect.stringContaining('has 40 tokens left; the request has 41.') as unknown,
    });
    expect(usage).toEqual({ isLimited: true });
    expect(await tokens()).toEqual([0, 70]);
    await age(other, 1);
    await age(request, 0);
    await reservations.reserveExactly(request, { tokens: 40 }, usage);
    expect(request.reservation).toMatchObject({ tokens: 40 });
  });
});
