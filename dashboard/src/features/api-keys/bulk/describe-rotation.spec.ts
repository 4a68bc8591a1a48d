import {
  describeKnownKeys,
  describeOnlyPreviousKnown,
  describePreviousSecrets,
  describeRotation,
} from './describe-rotation.js';

describe('describeRotation', () => {
  it.each([
    [2, 0, "The current secrets keep working until they're revoked, so you can replace them without downtime."],
    [
      3,
      1,
      "The leaked secret of 1 key is revoked immediately. The other secrets keep working until they're revoked, " +
        'so you can replace them without downtime.',
    ],
    [2, 2, 'The leaked secrets of 2 keys are revoked immediately.'],
  ])(
    'should promise a grace period only to secrets that did not leak: of %p keys, %p leaked',
    (count, leaked, text) => {
      expect(describeRotation({ count, leakedCount: leaked, isImmediate: false })).toBe(text);
    },
  );

  it('should say what stops working without a grace period', () => {
    expect(describeRotation({ count: 2, leakedCount: 0, isImmediate: true })).toBe(
      'Anything using the current secrets will stop working immediately.',
    );
  });
});

describe('describePreviousSecrets', () => {
  it('should name the keys that lose one', () => {
    expect(describePreviousSecrets([])).toBe('');
    expect(describePreviousSecrets(['a'])).toBe('The previous secret of a is revoked immediately.');
    expect(describePreviousSecrets(['a', 'b', 'c', 'd'])).toBe(
      'The previous secrets of a, b, c and 1 more are revoked immediately.',
    );
  });
});

describe('describeKnownKeys', () => {
  it.each([
    [1, 1, 'this key until the current secret is revoked.'],
    [2, 2, 'these keys until the current secrets are revoked.'],
    [1, 3, '1 of these keys until the current secret is revoked.'],
    [2, 3, '2 of these keys until the current secrets are revoked.'],
  ])('should count them: %i of %i', (known, count, text) => {
    expect(describeKnownKeys(known, count)).toBe(`Removed members or deleted service accounts can use ${text}`);
  });
});

describe('describeOnlyPreviousKnown', () => {
  it('should name keys that need no other rotation, and say what revoking their previous secrets does', () => {
    expect(describeOnlyPreviousKnown(['Search indexer'])).toBe(
      'Removed members or deleted service accounts know only the previous secret of Search indexer. ' +
        'Revoking it is enough. Anything still using it will stop working immediately.',
    );
    expect(describeOnlyPreviousKnown(['a', 'b'])).toMatch(/^.* the previous secrets of a, b\. Revoking them is enough/);
  });
});
