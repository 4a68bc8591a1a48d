import fc from 'fast-check';
import { isInRanges, normalizeAddressRange } from '../../src/api-keys/address-range.js';
import { normalizeAddress } from '../../src/common/http/client-address.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { noAddresses } from '../factories/client-addresses.js';
import { readCounters, setLimits } from '../factories/limits.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp({ config: { trustProxy: true } });
let member: Member;
let apiKey: CreatedKey;

beforeEach(async () => {
  member = await createMember(service);
  apiKey = await createApiKey(service, member);
});

const send = (address: string) =>
  call(service.url, 'GET /v1/models', { token: apiKey.key, headers: { 'x-forwarded-for': address } });
const allowOnly = (addresses: string[]) =>
  call(service.url, `PATCH /api-keys/${apiKey.id}`, { token: member.token, body: { addresses } });

describe.each(noAddresses)('A request forwarded for %s', (address) => {
  it('should not pass the addresses of a key, nor escape its limits', async () => {
    await setLimits(service, { keyId: apiKey.id }, [{ metric: 'requests', per: 'day', max: 1 }]);
    await allowOnly(['10.0.0.0/8', '2001:db8::/32', '::/0']);
    const response = await send(address);
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({
      error: { code: 'address_not_allowed', message: 'This API key may not be used from an unknown IP address.' },
    });
    expect(await readCounters(service, apiKey.id)).toEqual({ 'requests/day': [0, 0] });
  });

  it('should count against the limits of a key for all addresses', async () => {
    await setLimits(service, { keyId: apiKey.id }, [{ metric: 'requests', per: 'day', max: 1 }]);
    expect([(await send(address)).status, (await send(address)).status]).toEqual([200, 429]);
  });
});

describe('A limited key', () => {
  it('should be rejected if nothing was decided about its limits', async () => {
    await setLimits(service, { keyId: apiKey.id }, [{ metric: 'requests', per: 'day', max: 1 }]);
    await service.query('delete from limit_counters where owner_id = $1', [apiKey.id]);
    for (let time = 0; time < 2; time++) {
      const response = await send('10.0.0.1');
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    }
  });
});

const ipv6 = fc.oneof(
  fc.ipV6(),
  fc.ipV4().map((address) => `::ffff:${address}`),
  fc.ipV4().map((address) => `::${address}`),
  fc.ipV6().map((address) => `${address}%eth0`),
);
const text = fc.oneof(fc.ipV4Extended(), fc.constantFrom(...noAddresses), fc.string());
const anyAddress = fc.oneof(fc.ipV4(), ipv6, text);
const range = fc
  .oneof(fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })), fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })))
  .map(([address, bits]) => normalizeAddressRange(`${address}/${bits}`));

describe('PostgreSQL', () => {
  it('should read each normalized address as the same address', async () => {
    const property = fc.asyncProperty(fc.oneof(fc.ipV4(), ipv6), async (address) => {
      const [withoutZone = ''] = address.split('%');
      const [row] = await service.query<{ same: boolean }>(
        `select host(case when $1::inet << '::ffff:0:0/96' then '0.0.0.0'::inet + ($1::inet - '::ffff:0:0'::inet)
           else $1::inet end) = host($2::inet) as same`,
        [withoutZone, normalizeAddress(address)],
      );
      expect([address, row?.same]).toEqual([address, true]);
    });
    await fc.assert(property, { numRuns: 200 });
  });

  it('should find the same normalized addresses in the same ranges', async () => {
    const property = fc.asyncProperty(anyAddress, fc.array(range, { maxLength: 4 }), async (address, ranges) => {
      const normalized = ranges.filter((one) => one !== undefined);
      const [row] = await service.query<{ within: boolean | null }>(
        'select $1::inet <<= any ($2::text[]::inet[]) as within',
        [normalizeAddress(address), normalized],
      );
      expect([address, row?.within ?? false]).toEqual([address, isInRanges(address, normalized)]);
    });
    await fc.assert(property, { numRuns: 300 });
  });
});
