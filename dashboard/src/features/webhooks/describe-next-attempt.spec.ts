import { describeWait } from './describe-next-attempt.js';

const now = Date.parse('2026-11-30T10:00:00Z');
const attempt = { at: '2026-11-30T09:55:00Z', durationMs: 12, status: 500, error: null, response: '' };
const healthy = { enabled: true, failedAttempt: null };
const failing = { enabled: true, failedAttempt: attempt };
const disabled = { enabled: false, failedAttempt: null };
const first = {
  kind: 'event' as const,
  status: 'waiting' as const,
  attempts: [attempt],
  nextAttemptAt: '2026-11-30T10:05:00Z',
};
const next = { ...first, attempts: [], nextAttemptAt: '2026-11-30T09:58:00Z' };

describe('describeWait', () => {
  it('should say nothing about a delivery whose next attempt has a time, or which is done', () => {
    expect(describeWait(first, failing, now)).toBeUndefined();
    expect(describeWait({ ...first, status: 'succeeded', nextAttemptAt: null }, healthy, now)).toBeUndefined();
    expect(describeWait({ ...first, status: 'failed', nextAttemptAt: null }, disabled, now)).toBeUndefined();
  });

  it('should say that an event waits for earlier ones that are retried', () => {
    expect(describeWait(next, failing, now)).toBe('Waits until earlier events are delivered.');
  });

  it('should say that events wait until their webhook is enabled', () => {
    expect([first, next].map((delivery) => describeWait(delivery, disabled, now))).toEqual([
      'Waits until the webhook is enabled.',
      'Waits until the webhook is enabled.',
    ]);
  });

  it('should never name a time in the past', () => {
    const due = { ...first, nextAttemptAt: '2026-11-30T09:59:59Z' };
    expect(describeWait(due, failing, now)).toBe('Next attempt: in a moment');
    expect(describeWait(next, healthy, now)).toBe('Next attempt: in a moment');
  });

  it('should say that a test or a redelivery is sent soon, even if other events wait', () => {
    for (const kind of ['test', 'redelivery'] as const) {
      for (const webhook of [healthy, failing, disabled]) {
        expect(describeWait({ ...next, kind }, webhook, now)).toBe('Next attempt: in a moment');
      }
    }
  });
});
