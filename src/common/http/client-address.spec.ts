import { noAddresses } from '../../../test/factories/client-addresses.js';
import { normalizeAddress } from './client-address.js';

describe('normalizeAddress', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::FFFF:a00:1', '10.0.0.1'],
    ['0:0:0:0:0:ffff:10.0.0.1', '10.0.0.1'],
    ['::10.0.0.1', '::a00:1'],
    ['64:ff9b::10.0.0.1', '64:ff9b::a00:1'],
    ['2001:DB8:0:0::0001', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::', '::'],
  ])('should write %s as %s', (address, canonical) => {
    expect(normalizeAddress(address)).toBe(canonical);
  });

  it.each([...noAddresses, ' 10.0.0.1', '١٠.0.0.1', ''])('should not take %j for an IP address', (text) => {
    expect(normalizeAddress(text)).toBeNull();
  });
});
