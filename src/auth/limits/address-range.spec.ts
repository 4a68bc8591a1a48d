import { addressRange } from './address-range.js';

describe('addressRange', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::', '2001:db8:1:3::/64'],
    ['no address', 'no address'],
  ])('should count %s under %s', (address, range) => {
    expect(addressRange(address)).toBe(range);
  });
});
