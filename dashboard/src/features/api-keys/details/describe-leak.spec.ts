import { describeLeak } from './describe-leak.js';

const leak = { reportedAt: '2026-01-31T09:30:00.123Z', url: null, source: null };

describe('describeLeak', () => {
  it.each([
    ['current', true, null, 'This key leaked and still works.'],
    ['current', false, null, 'This key leaked. It is disabled.'],
    ['previous', true, 'kc_ab12c', 'The previous secret of this key leaked and still works.'],
    ['previous', true, null, 'The previous secret of this key leaked. It was revoked.'],
  ] as const)(
    'should say what became of a leaked %s secret (enabled: %p, previous: %p)',
    (secret, enabled, hint, title) => {
      const apiKey = { leak: { ...leak, secret }, enabled, previousSecretHint: hint };
      expect(describeLeak(apiKey)).toMatchObject({ title, isOver: secret === 'previous' && hint === null });
    },
  );
});
