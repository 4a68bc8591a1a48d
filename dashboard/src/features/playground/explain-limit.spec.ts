import { ServiceError } from '../../api/service-error.js';
import { exactTime } from '../../lib/format-time.js';
import { explainLimit } from './explain-limit.js';

const rejection = (code: 'rate_limit_exceeded' | 'insufficient_quota', detail: string, retryAfterSeconds?: number) =>
  new ServiceError({ code, detail, requestId: undefined, retryAfterSeconds }, 429);
/** Explains an error, by default when it's received. */
const explain = (error: ServiceError, secondsLater = 0) => explainLimit(error, error.receivedAt + secondsLater * 1000);

describe('explainLimit', () => {
  it('should name the limit and the time to wait for a limit that refills', () => {
    const problem =
      "This key's limit of 60 requests per minute is exhausted: 60 requests charged and 0 requests reserved.";
    const message = `${problem} Retry in 12 s. Unused, it's reset in 60 s.`;
    expect(explain(rejection('rate_limit_exceeded', message, 12))).toEqual({
      title: 'Rate limit exceeded',
      problem,
      advice: 'Try again in about 12 seconds.',
    });
  });

  it('should not call a budget exceeded that running requests reserve', () => {
    const problem =
      "This key's limit of 9 tokens per day has 0 tokens charged and 9 tokens reserved by running requests.";
    const message = `${problem} Retry in 1 s. It resets at 2026-01-31T00:00:00.000Z.`;
    expect(explain(rejection('rate_limit_exceeded', message, 1))).toEqual({
      title: 'Rate limit exceeded',
      problem,
      advice: 'Try again in about 1 second.',
    });
  });

  it('should count down', () => {
    const error = rejection('rate_limit_exceeded', "This key's limit of 1 page per minute is exhausted.", 12);
    expect(explain(error, 10)?.advice).toBe('Try again in about 2 seconds.');
    expect(explain(error, 12)?.advice).toBe('You can try again now.');
  });

  it('should state longer waits in minutes', () => {
    const message = "This key's limit of 1 page per hour is exhausted. Retry in 3541 s.";
    const explanation = explain(rejection('rate_limit_exceeded', message, 3541));
    expect(explanation?.advice).toBe('Try again in about 60 minutes.');
  });

  it('should say when a budget resets, in local time', () => {
    const message = "This organization's limit of 9 pages per day is exhausted. It resets at 2026-01-31T00:00:00.000Z.";
    expect(explain(rejection('insufficient_quota', message, 8000))).toEqual({
      title: 'Budget exceeded',
      problem: "This organization's limit of 9 pages per day is exhausted.",
      advice: `Try again after ${exactTime('2026-01-31T00:00:00.000Z')}, or raise the budget. Budgets don't refill before they reset.`,
    });
  });

  it("should say that retrying won't help if the request never fits", () => {
    const message = "This key's limit of 5 tokens per minute is less than the 20 tokens of the request.";
    expect(explain(rejection('rate_limit_exceeded', message))).toEqual({
      title: 'Request exceeds a limit',
      problem: message,
      advice: "Retrying won't help. Send less, or raise the limit.",
    });
  });

  it('should leave other errors alone', () => {
    expect(explain(rejection('rate_limit_exceeded', 'Upstream rate limit reached.', 3))).toBeUndefined();
    expect(explainLimit(new Error('Failed'))).toBeUndefined();
  });
});
