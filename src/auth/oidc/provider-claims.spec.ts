import { readProviderClaims } from './provider-claims.js';

const settings = { organizationClaim: 'organization', rolesClaim: 'roles' };
const token = { iss: 'https://id.example.com', sub: 'ada', iat: 1 };

const read = (payload: object, profile: object = {}) => readProviderClaims({ ...token, ...payload }, profile, settings);

describe('readProviderClaims: name', () => {
  it.each([
    ['Ada\u202e Lovelace', 'Ada Lovelace'],
    ['\u200b\u3164Ada\n', 'Ada'],
    ['\u200b', undefined],
    ['x'.repeat(101), 'x'.repeat(100)],
  ])('should sanitize %j to %j', (name, expected) => {
    expect(read({ name }).name).toBe(expected);
  });
});

describe('readProviderClaims: email', () => {
  const email = 'ada@example.com';
  const other = 'ceo@example.com';

  it.each<[string, object, object, { email: string; isEmailVerified: boolean }]>([
    ['the token', { email, email_verified: true }, {}, { email, isEmailVerified: true }],
    ['the profile', {}, { email, email_verified: true }, { email, isEmailVerified: true }],
    [
      'the token, if both have it',
      { email, email_verified: false },
      { email: other, email_verified: true },
      { email, isEmailVerified: false },
    ],
    [
      'the profile, if the token lacks the verification',
      { email: other },
      { email, email_verified: true },
      { email, isEmailVerified: true },
    ],
    [
      'the profile as unverified, if only the token has the verification',
      { email_verified: true },
      { email: other },
      { email: other, isEmailVerified: false },
    ],
    [
      'the token as unverified, if only the profile has the verification',
      { email: other },
      { email_verified: true },
      { email: other, isEmailVerified: false },
    ],
    [
      'the profile, if the token has null',
      { email: null, email_verified: null },
      { email, email_verified: 'true' },
      { email, isEmailVerified: true },
    ],
  ])('should be read with its verification from %s', (_title, payload, profile, expected) => {
    expect(read(payload, profile)).toMatchObject(expected);
  });

  it.each(['\u212aate@example.com', 'ｃeo@example.com', 'ceo@exam\u200bple.com', 'ceo@', 5, '\ud800@example.com'])(
    'should be undefined if the claim is %j',
    (named) => {
      expect(read({ email: named, email_verified: true }).email).toBeUndefined();
    },
  );

  it('should be trimmed and lower-cased', () => {
    expect(read({ email: ' CEO@Example.com', email_verified: true }).email).toBe(other);
  });
});
