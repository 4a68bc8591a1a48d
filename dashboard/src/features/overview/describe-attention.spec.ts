import { describeAttention, nameChecked } from './describe-attention.js';

const indexer = { id: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f', name: 'Search indexer' };
const leakedAndEnabled = 'Rotate or delete immediately. Anyone with the secret can use a key that is still enabled.';

describe('describeAttention', () => {
  it('should count in the singular and plural', () => {
    expect(describeAttention({ kind: 'expiring-keys', count: 1, first: [] }, true).title).toBe(
      '1 key expires within 7 days',
    );
    expect(describeAttention({ kind: 'expiring-keys', count: 1200, first: [] }, true).title).toBe(
      '1,200 keys expire within 7 days',
    );
  });

  it.each([
    [
      1,
      '1 key has a secret that removed members know',
      'can still use it. Rotate the key; it leaves this list when its previous secret stops working.',
    ],
    [
      4,
      '4 keys have secrets that removed members know',
      'can still use them. Rotate the keys; they leave this list when their previous secrets stop working.',
    ],
  ])('should ask to rotate keys that removed members know: %i', (count, title, advice) => {
    const description = describeAttention({ kind: 'keys-known-to-former-members', count, first: [] }, true);
    expect(description).toEqual({ title, advice: `Removed members and deleted service accounts ${advice}` });
  });

  it.each([
    [
      'all',
      ['2026-12-01T09:30:00Z', '2026-12-02T09:30:00Z'],
      'The keys are rotated, but their previous secrets still work. Revoke these, or wait until they expire.',
    ],
    [
      'some',
      ['2026-12-01T09:30:00Z', undefined],
      'Removed members and deleted service accounts can still use them. Rotate the keys; they leave this list when their previous secrets stop working.',
    ],
  ])('should not ask to rotate keys again that were rotated: %s', (_title, expiries, advice) => {
    const first = expiries.map((previousSecretExpiresAt) => ({ ...indexer, previousSecretExpiresAt }));
    const attention = { kind: 'keys-known-to-former-members' as const, count: 2, first };
    expect(describeAttention(attention, true).advice).toBe(advice);
  });

  it.each([
    ['one', 1, [true], "It's disabled. Rotate it before you enable it."],
    ['two', 2, [true, true], "They're disabled. Rotate them before you enable them."],
    // Enabled keys come first.
    ['more than are named', 9, [true, true, true, true, true], "They're disabled. Rotate them before you enable them."],
    ['as many as are counted', 1000, [true], leakedAndEnabled],
    ['one is enabled', 2, [false, true], leakedAndEnabled],
  ])('should warn of leaked keys only while one may be enabled: %s', (_title, count, disabled, advice) => {
    const first = disabled.map((isDisabled) => ({ ...indexer, isDisabled }));
    expect(describeAttention({ kind: 'leaked-keys', count, first }, true).advice).toBe(advice);
  });

  it.each([
    ['a key near its budget', 92, true, 'Raise the budget, or requests will be rejected.'],
    [
      'a key beyond its budget',
      364,
      true,
      "Requests beyond a budget are rejected. Raise the budget if they're needed.",
    ],
    [
      'a key that has used its budget up',
      100,
      true,
      "Requests beyond a budget are rejected. Raise the budget if they're needed.",
    ],
    ['a reader without permission to raise it', 364, false, 'Requests beyond a budget are rejected.'],
  ])('should say what a budget does, and how to avoid it: %s', (_title, usedPercent, mayUpdateKeys, advice) => {
    const first = [{ ...indexer, usedPercent }];
    expect(describeAttention({ kind: 'keys-near-limits', count: 1, first }, mayUpdateKeys).advice).toBe(advice);
  });

  it.each([
    ['is enabled', [false], 'Fix the receiver. Deliveries are retried automatically.'],
    ['was disabled', [true], 'Fix the receiver, then enable the webhook.'],
    ['was disabled and another is enabled', [true, false], 'Fix the receiver, then enable disabled webhooks.'],
  ])('should ask to enable a failing webhook only if it needs to be: one %s', (_title, states, advice) => {
    const first = states.map((isDisabled, index) => ({ id: String(index), name: 'hooks.example.com', isDisabled }));
    const attention = { kind: 'failing-webhooks' as const, count: first.length, first };
    expect(describeAttention(attention, true).advice).toBe(advice);
  });
});

describe('nameChecked', () => {
  it('should name each subject once', () => {
    expect(nameChecked(['leaked-keys', 'failing-upstreams', 'failing-webhooks', 'unused-keys'])).toBe(
      'keys, upstreams and webhooks',
    );
  });
});
