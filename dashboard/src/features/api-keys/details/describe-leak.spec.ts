import { describeLeak, describeUseSince, nameReporter } from './describe-leak.js';
import { minuteTime } from '../../../lib/format-time.js';

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

describe('nameReporter', () => {
  it('should name who reported the leak, or else the source', () => {
    expect(nameReporter({ source: 'member', reportedBy: { name: 'Ada Lovelace' } })).toBe(' by Ada Lovelace');
    expect(nameReporter({ source: 'commit' })).toBe(' (commit)');
    expect(nameReporter({ source: null })).toBe('');
  });
});

describe('describeUseSince', () => {
  const from = '2026-01-31T09:00:00Z';
  const describe = (requests: number, reportedAt: string) =>
    describeUseSince({ from, requests }, reportedAt).replace(minuteTime(from), '…');

  it.each([
    [
      20,
      '2026-01-31T09:33:01Z',
      '20 requests since …, including any from the 34 minutes before the report, because usage is counted by the hour.',
    ],
    [
      1,
      '2026-01-31T09:00:30Z',
      '1 request since …, including any from the 1 minute before the report, because usage is counted by the hour.',
    ],
    [
      20,
      '2026-01-31T15:30:00Z',
      '20 requests since …, including any from the 7 hours before the report, because usage is counted by the day.',
    ],
    [20, '2026-01-31T09:00:00Z', '20 requests since ….'],
    [0, '2026-01-31T09:33:01Z', 'No requests since ….'],
  ])('should say how many requests may be older than the report (%d, %s)', (requests, reportedAt, sentence) => {
    expect(describe(requests, reportedAt)).toBe(sentence);
  });
});
