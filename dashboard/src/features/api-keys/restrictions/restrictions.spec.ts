import { toRows } from '../../../common/limits/limit-rows.js';
import {
  changedRestrictions,
  checkAddresses,
  checkNote,
  checkTags,
  noRestrictions,
  splitAddresses,
  toTags,
} from './restrictions.js';

describe('changedRestrictions', () => {
  it('should contain only what changed', () => {
    const initial = { ...noRestrictions, models: ['a'], addresses: ['203.0.113.7'], note: 'First' };
    expect(changedRestrictions(initial, initial)).toEqual({});
    expect(changedRestrictions({ ...initial, models: ['a', 'b'], note: ' Second ' }, initial)).toEqual({
      models: ['a', 'b'],
      note: 'Second',
    });
  });

  it('should remove limits and restrictions with an emptied list, and a note with an emptied field', () => {
    const limits = toRows([{ metric: 'requests', per: 'minute', max: 60 }]);
    const initial = { limits, models: ['a'], addresses: ['203.0.113.7'], note: 'First', tags: ['eu'] };
    expect(changedRestrictions(noRestrictions, initial)).toEqual({
      limits: [],
      models: null,
      addresses: null,
      note: null,
      tags: [],
    });
  });

  it('should never widen a key that allows no model', () => {
    expect(changedRestrictions({ ...noRestrictions, note: 'New' }, noRestrictions)).toEqual({ note: 'New' });
  });
});

describe('splitAddresses', () => {
  it('should split lists entered as one text, and remove duplicates', () => {
    expect(splitAddresses(['::1', '203.0.113.7, 203.0.113.8;2001:db8::/32\n', '::1 '])).toEqual([
      '::1',
      '203.0.113.7',
      '203.0.113.8',
      '2001:db8::/32',
    ]);
  });
});

describe('checkAddresses', () => {
  it.each(['203.0.113.7', '203.0.113.0/24', '0.0.0.0/0', '::1', '2001:db8::/32', '::ffff:203.0.113.7'])(
    'should accept %s',
    (address) => {
      expect(checkAddresses([address])).toBeUndefined();
    },
  );

  it.each([
    '203.0.113',
    '203.0.113.256',
    '010.0.0.1',
    '203.0.113.7/33',
    '2001:db8::/129',
    '::g',
    'example.com',
    '1/2/3',
  ])('should name the invalid address %s', (address) => {
    expect(checkAddresses(['::1', address])).toContain(`${address} is not`);
  });
});

describe('toTags', () => {
  it('should split, normalize and remove duplicates, like the service', () => {
    expect(toTags(['Production, EU', ' eu', 'search  Team', ','])).toEqual(['production', 'eu', 'search team']);
  });
});

describe('checkTags', () => {
  it('should say what is wrong', () => {
    expect(checkTags(['eu', 'production'])).toBeUndefined();
    expect(checkTags(Array.from({ length: 11 }, (_, index) => `tag-${index}`))).toBe('Use at most 10 tags.');
    expect(checkTags(['x'.repeat(51)])).toBe('Use at most 50 characters for a tag.');
    expect(checkTags(['a\u200bb'])).toContain('invisible');
  });
});

describe('checkNote', () => {
  it('should accept up to 500 characters, including emoji, without the spaces around them', () => {
    expect(checkNote('')).toBeUndefined();
    expect(checkNote(` ${'😀'.repeat(500)} `)).toBeUndefined();
    expect(checkNote('x'.repeat(501))).toBe('Use at most 500 characters.');
  });

  it('should reject control characters', () => {
    expect(checkNote('Search\tteam')).toBe('Remove tabs and control characters.');
  });
});
