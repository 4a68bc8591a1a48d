import type { ListedApiKey } from '../../api/schema.js';
import { minuteTime } from '../../lib/format-time.js';
import { describeHolders, describePreviousSecret, isCurrentKnown, isOnlyPreviousKnown } from './known-secrets.js';

const previousSecretExpiresAt = '2026-12-01T09:30:00.000Z';
const knownToFormerMembers = (...secrets: ('current' | 'previous')[]): ListedApiKey['knownToFormerMembers'] =>
  secrets.map((secret) => ({ secret, kind: 'user', name: 'Grace Hopper' }));

describe('describePreviousSecret', () => {
  it.each([
    [['previous'], 'Rotated; removed members know only the previous secret, until'],
    [['current', 'previous'], 'Previous secret until'],
    [['current'], 'Previous secret until'],
    [[], 'Previous secret until'],
  ] as const)('should say until when it works, and whether former members know only it: of %j', (secrets, text) => {
    const key = { previousSecretExpiresAt, knownToFormerMembers: knownToFormerMembers(...secrets) };
    expect(describePreviousSecret(key)).toBe(`${text} ${minuteTime(previousSecretExpiresAt)}`);
  });

  it('should be empty for a key without one', () => {
    expect(describePreviousSecret({ knownToFormerMembers: knownToFormerMembers('current') })).toBe('');
  });
});

describe('describeHolders', () => {
  it('should name everyone who knows a secret and should not, with the secret', () => {
    const account = { secret: 'previous', kind: 'service-account', name: null } as const;
    expect(describeHolders({ knownToFormerMembers: [...(knownToFormerMembers('current') ?? []), account] })).toBe(
      'Grace Hopper, who is no longer a member, knows the current secret. A deleted service account knows the previous secret.',
    );
  });

  it('should be empty if no former member knows a secret, or if that was not asked for', () => {
    expect([{}, { knownToFormerMembers: [] }].map(describeHolders)).toEqual(['', '']);
  });
});

describe('isOnlyPreviousKnown', () => {
  it('should be false for keys whose current secret is known, or whose secrets are not', () => {
    const known = [['previous'], ['current', 'previous'], ['current'], []] as const;
    const keys = [...known.map((secrets) => ({ knownToFormerMembers: knownToFormerMembers(...secrets) })), {}];
    expect(keys.map(isOnlyPreviousKnown)).toEqual([true, false, false, false, false]);
    expect(keys.map(isCurrentKnown)).toEqual([false, true, true, false, false]);
  });
});
