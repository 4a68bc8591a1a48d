import { describeRotation } from './describe-rotation.js';

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
