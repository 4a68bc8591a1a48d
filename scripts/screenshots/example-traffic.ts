import { incompleteResponse } from '../../src/usage/failures/failure.js';
import type { Failure } from '../../src/usage/failures/failure.js';
import { daysAgo } from './days-ago.js';
import type { ExampleKey } from './example-keys.js';
import { exampleCosts } from './example-models.js';

const trafficDays = 62;
const hourMilliseconds = 3_600_000;
const dayMilliseconds = 24 * hourMilliseconds;

type Cause = Pick<Failure, 'status' | 'code' | 'invalidFields'>;

/** A request of an example key. It used something, or failed. */
export interface ExampleRequest {
  occurredAt: Date;
  /** Undefined for a success. */
  cause?: Cause;
  milliseconds: number;
  inputTokens: number;
  pages: number;
  /** In billionths of the currency. */
  cost: number;
  address: string;
}

const disconnected: Cause = { status: 499, code: incompleteResponse, invalidFields: [] };

/** By model. */
const kinds = {
  'universal-sentence-encoder-lite': {
    milliseconds: 9,
    use: (random: () => number) => ({ inputTokens: Math.round(40 + 30 * random()), pages: 0 }),
    cause: { status: 400, code: 'validation-failed', invalidFields: ['input'] } satisfies Cause,
  },
  tesseract: {
    milliseconds: 1400,
    use: (random: () => number) => ({ inputTokens: 0, pages: 1 + Math.floor(2 * random()) }),
    cause: { status: 422, code: 'unreadable-document', invalidFields: [] } satisfies Cause,
  },
};

/** Activity between 0 and 1, by time of day and weekday. It grows from month to month. */
function activityAt(time: Date): number {
  const isWeekend = [0, 6].includes(time.getUTCDay());
  const day = (1 - Math.cos(((time.getUTCHours() - 2) / 24) * 2 * Math.PI)) / 2;
  const daysSince = (Date.now() - time.getTime()) / dayMilliseconds;
  return (0.15 + 0.85 * day) * (isWeekend ? 0.35 : 1) * (1 - daysSince / 250);
}

/**
 * The requests of a key in the last two months, oldest first. Everything that is shown of them is computed from these
 * requests, so that the pages agree.
 */
export function* requestsOf(key: ExampleKey, random: () => number): Generator<ExampleRequest> {
  if (key.usedDaysAgo === undefined) return;
  const first = daysAgo(Math.min(trafficDays, key.createdDaysAgo)).getTime();
  const last = daysAgo(key.usedDaysAgo).getTime();
  const firstHour = Math.floor(first / hourMilliseconds) * hourMilliseconds;
  for (let hour = firstHour; hour < last; hour += hourMilliseconds) {
    const from = Math.max(hour, first);
    const milliseconds = Math.min(hour + hourMilliseconds, last) - from;
    const perHour = key.requestsPerHour * activityAt(new Date(hour)) * (0.7 + 0.6 * random());
    const failureShare = 0.02 * random();
    const slowness = 0.7 + 0.8 * random();
    const times = Array.from({ length: Math.round((perHour * milliseconds) / hourMilliseconds) }, () =>
      Math.floor(from + milliseconds * random()),
    );
    for (const time of times.sort((one, other) => one - other)) {
      yield requestAt(new Date(time), key.model, { slowness, isFailure: random() < failureShare }, random);
    }
  }
}

function requestAt(
  occurredAt: Date,
  model: ExampleKey['model'],
  { slowness, isFailure }: { slowness: number; isFailure: boolean },
  random: () => number,
): ExampleRequest {
  const kind = kinds[model];
  const common = {
    occurredAt,
    milliseconds: Math.round(kind.milliseconds * slowness * (0.95 + 0.1 * random()) * 10) / 10,
    address: `192.0.2.${10 + Math.floor(random() * 3)}`,
  };
  if (isFailure) {
    const cause = random() < 0.2 ? disconnected : kind.cause;
    return { ...common, cause, inputTokens: 0, pages: 0, cost: 0 };
  }
  const { inputTokens, pages } = kind.use(random);
  return { ...common, inputTokens, pages, cost: inputTokens * exampleCosts.token + pages * exampleCosts.page };
}
