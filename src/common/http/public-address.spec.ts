import { isPublicAddress } from './public-address.js';

describe('isPublicAddress', () => {
  it.each(['1.1.1.1', '8.8.8.8', '93.184.215.14', '172.15.0.1', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::8a'])(
    'should allow %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['loopback', '::1'],
    ['unspecified', '0.0.0.0'],
    ['unspecified', '0.1.2.3'],
    ['unspecified', '::'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['unique local', 'fc00::1'],
    ['unique local, of a cloud', 'fd00:ec2::254'],
    ['link-local, of a cloud', '169.254.169.254'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['shared', '100.64.0.1'],
    ['shared, of a cloud', '100.100.100.200'],
    ['reserved, of a cloud', '192.0.0.192'],
    ['public, of a cloud', '168.63.129.16'],
    ['multicast', '224.0.0.1'],
    ['multicast', 'ff02::1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['benchmarking', '198.18.0.1'],
    ['6to4 relay', '192.88.99.1'],
    ['mapped', '::ffff:127.0.0.1'],
    ['mapped', '::ffff:7f00:1'],
    ['mapped, of a public one', '::ffff:8.8.8.8'],
    ['compatible', '::127.0.0.1'],
    ['compatible', '::a00:1'],
    ['translated', '::ffff:0:10.0.0.1'],
    ['NAT64', '64:ff9b::10.0.0.1'],
    ['NAT64 of a local network', '64:ff9b:1::10.0.0.1'],
    ['6to4', '2002:7f00:1::'],
    ['6to4', '2002:a00:1::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['discarded', '100::1'],
    ['not given out', '4000::1'],
    ['no address', 'example.com'],
    ['no address', ''],
    ['not in its usual form', '0177.0.0.1'],
    ['not in its usual form', '2130706433'],
    ['not in its usual form', '0x7f000001'],
  ])('should reject an address that is %s: %s', (_title, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
