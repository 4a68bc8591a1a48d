import { hintAtStart, hintOfSecret } from './pasted-secret.js';

const random = 'EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAM';

describe('hintOfSecret', () => {
  it.each([
    [`kc_${random}`, 'kc_EXAMP'],
    [`API_KEY="kc_${random}"`, 'kc_EXAMP'],
    [`authorization: Bearer kc_${random.slice(0, 10)}`, 'kc_EXAMP'],
    [`kcs_${random}`, 'kcs_EXAMP'],
    ['kc_EXAMP', undefined],
    ['kc_service', undefined],
    ['Search indexer', undefined],
    ['', undefined],
  ])('should find what identifies the secret in %j', (text, hint) => {
    expect(hintOfSecret(text)).toBe(hint);
  });
});

describe('hintAtStart', () => {
  it.each([
    ['kc_EXAMP', 'kc_EXAMP'],
    [` kc_${random}`, 'kc_EXAMP'],
    ['kcs_EXAMP', 'kcs_EXAMP'],
    ['kc_EXAM', undefined],
    [`API_KEY="kc_${random}"`, undefined],
    ['', undefined],
  ])('should find the first characters of a secret in %j', (text, hint) => {
    expect(hintAtStart(text)).toBe(hint);
  });
});
