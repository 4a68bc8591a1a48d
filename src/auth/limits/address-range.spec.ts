import { noAddresses } from '../../../test/factories/client-addresses.js';
import { addressRange, addressRanges } from './address-range.js';

describe('addressRange', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::', '2001:db8:1:3::/64'],
    ['::ffff:cb00:7107', '203.0.113.7'],
  ])('should count %s under %s', (address, range) => {
    expect(addressRange(address)).toBe(range);
  });

  it('should count everything that is not an IP address together', () => {
    expect(new Set(noAddresses.map(addressRange))).toEqual(new Set(['unknown']));
  });
});

describe('addressRanges', () => {
  it('should count an IPv6 address under its /64, /56 and /48 with growing limits', () => {
    expect(addressRanges('2001:db8:1:abcd:3:4:5:6')).toEqual([
      { range: '2001:db8:1:abcd::/64', factor: 1 },
      { range: '2001:db8:1:ab00::/56', factor: 4 },
      { range: '2001:db8:1::/48', factor: 16 },
    ]);
  });

  it.each(['203.0.113.7', '::ffff:203.0.113.7'])('should count %s under a single range', (address) => {
    expect(addressRanges(address)).toEqual([{ range: '203.0.113.7', factor: 1 }]);
  });
});
