import { describeAttention, nameChecked } from './describe-attention.js';

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
    [1, '1 key has a secret that removed members know', 'can still use it. Rotate the key.'],
    [4, '4 keys have secrets that removed members know', 'can still use them. Rotate the keys.'],
  ])('should ask to rotate keys that removed members know: %i', (count, title, advice) => {
    const description = describeAttention({ kind: 'keys-known-to-former-members', count, first: [] }, true);
    expect(description).toEqual({ title, advice: `Removed members and deleted service accounts ${advice}` });
  });

  it.each([
    ['a key near its limit', 92, true, 'Raise the limit, or requests will be rejected.'],
    ['a key beyond its limit', 364, true, "Requests beyond a limit are rejected. Raise the limit if they're needed."],
    ['a key at its limit', 100, true, "Requests beyond a limit are rejected. Raise the limit if they're needed."],
    ['a reader without permission to raise it', 364, false, 'Requests beyond a limit are rejected.'],
  ])('should say what a limit does, and how to avoid it: %s', (_title, usedPercent, mayUpdateKeys, advice) => {
    const first = [{ id: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f', name: 'Search indexer', usedPercent }];
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
