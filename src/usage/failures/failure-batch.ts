import { randomUUID } from 'node:crypto';
import { toStorableText } from '../../common/storable.js';
import { maxModelIdLength } from '../../common/rules/text-rules.js';
import type { Failure } from './failure.js';

/**
 * Different keys, models and codes in a batch, counted separately for existing keys and for unverified secrets:
 * made-up keys must not crowd out the failures of others.
 */
const maxGroups = 1000;
/** Each key keeps only its latest failures. */
const maxRequestsPerGroup = 20;

interface FailureGroup {
  first: Failure;
  count: number;
  latest: Failure[];
}

/** A failed request, and others like it that it stands for. */
export interface CountedFailure {
  readonly failure: Failure;
  /** At least 1. */
  readonly count: number;
}

/** Failures that wait to be written. Its size is bounded; further failures are dropped. */
export class FailureBatch {
  private readonly groups = new Map<string, FailureGroup>();
  private readonly groupCounts = { apiKeyId: 0, keyHash: 0 };

  static of(failures: readonly CountedFailure[]): FailureBatch {
    const batch = new FailureBatch();
    for (const { failure, count } of failures) batch.add(failure, count);
    return batch;
  }

  get isEmpty(): boolean {
    return this.groups.size === 0;
  }

  /** @param count of failures that this one stands for */
  add(reported: Failure, count = 1): void {
    const failure = toStorable(reported);
    const { key, model, status, code } = failure;
    const name = JSON.stringify([key, model, status, code]);
    const group = this.groups.get(name);
    if (group === undefined) {
      const kind = 'apiKeyId' in key ? 'apiKeyId' : 'keyHash';
      if (this.groupCounts[kind] >= maxGroups) return;
      this.groupCounts[kind] += 1;
      this.groups.set(name, { first: failure, count, latest: [failure] });
      return;
    }
    group.count += count;
    group.latest.push(failure);
    if (group.latest.length > maxRequestsPerGroup) group.latest.shift();
  }

  /** The failures one by one. The latest failure of a group also carries the number of failures that were only counted. */
  split(): CountedFailure[] {
    return Array.from(this.groups.values()).flatMap(({ count, latest }) =>
      latest.map((failure, place) => ({
        failure,
        count: place === latest.length - 1 ? count - latest.length + 1 : 1,
      })),
    );
  }

  /** The parameters of `writeFailures`: groups with their counts, and the latest requests of each. */
  toParameters(): [groups: string, requests: string] {
    const groups = Array.from(this.groups.values());
    return [
      JSON.stringify(
        groups.map(({ first: { key, model, status, code }, count }, position) => ({
          position,
          ...key,
          model,
          status,
          code,
          count,
        })),
      ),
      JSON.stringify(
        groups.flatMap(({ latest }, position) =>
          latest.map(({ occurredAt, route, requestedModel, invalidFields, exceededLimit, requestId, address }) => ({
            id: randomUUID(),
            position,
            occurredAt,
            route,
            requestedModel,
            invalidFields,
            exceededLimit,
            requestId,
            address,
          })),
        ),
      ),
    ];
  }
}

/** Longer than any route or request id. */
const maxTextLength = 4 * maxModelIdLength;

function toStorable(failure: Failure): Failure {
  const { model, route, requestedModel, requestId, invalidFields } = failure;
  const storable = (text: string) => toStorableText(text, maxTextLength);
  return {
    ...failure,
    model: storable(model),
    route: storable(route),
    requestedModel: requestedModel === null ? null : storable(requestedModel),
    requestId: storable(requestId),
    invalidFields: invalidFields.map(storable),
  };
}
