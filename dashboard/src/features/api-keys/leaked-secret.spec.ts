import { leakedSecretOf } from './leaked-secret.js';

const leakedAt = '2026-01-31T09:30:00.123Z';
const leakOf = (secret: 'current' | 'previous') => ({ reportedAt: leakedAt, url: null, source: null, secret });

describe('leakedSecretOf', () => {
  it.each([
    ['a listed, disabled key', { leakedAt, enabled: false }, 'rejected'],
    ['a disabled key', { leakedAt, enabled: false, leak: leakOf('current') }, 'rejected'],
    ['a key that was enabled again', { leakedAt, enabled: true, leak: leakOf('current') }, 'accepted'],
    ['a key whose previous secret leaked', { leakedAt, enabled: false, leak: leakOf('previous') }, undefined],
    ['a key that was rotated since', { enabled: false }, undefined],
  ] as const)(
    'should say whether the service still accepts the current secret, if it leaked: %s',
    (_, key, expected) => {
      expect(leakedSecretOf(key)).toBe(expected);
    },
  );
});
