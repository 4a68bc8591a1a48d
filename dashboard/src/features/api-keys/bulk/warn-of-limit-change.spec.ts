import type { LimitSettings } from '../../../api/schema.js';
import { toRows } from '../../../common/limits/limit-rows.js';
import { warnOfLimitChange } from './warn-of-limit-change.js';

const perDay: LimitSettings = { metric: 'requests', per: 'day', max: 100 };
const ofSmall: LimitSettings = { ...perDay, models: ['small'] };
const running: LimitSettings = { metric: 'concurrency', max: 5 };
const keys = [{ limits: [perDay, running] }, { limits: [perDay] }, { limits: [] }, {}];

describe('warnOfLimitChange', () => {
  it('should count the keys that have an added limit with the same metric, period and models', () => {
    expect(warnOfLimitChange('add', keys, toRows([{ ...perDay, max: 5 }]))).toBe(
      'Replaces a current limit of 2 keys. 2 other keys get a new one.',
    );
    expect(warnOfLimitChange('add', keys, toRows([running]))).toBe(
      'Replaces a current limit of 1 key. 3 other keys get a new one.',
    );
    expect(warnOfLimitChange('add', keys.slice(0, 2), toRows([perDay]))).toBe('Replaces a current limit of 2 keys.');
    expect(warnOfLimitChange('add', keys.slice(1, 3), toRows([perDay]))).toBe(
      'Replaces a current limit of 1 key. 1 other key gets a new one.',
    );
    expect(warnOfLimitChange('add', keys, toRows([ofSmall]))).toBeUndefined();
    expect(warnOfLimitChange('add', keys, [])).toBeUndefined();
  });

  it('should count the keys that lose a limit that the new ones do not include', () => {
    expect(warnOfLimitChange('replace', keys, toRows([perDay]))).toBe('Removes current limits of 1 key.');
    expect(warnOfLimitChange('replace', keys, [])).toBe('Removes current limits of 2 keys.');
    expect(warnOfLimitChange('replace', keys, toRows([perDay, running]))).toBeUndefined();
  });
});
