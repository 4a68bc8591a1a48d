import { randomUUID } from 'node:crypto';
import type { Failure } from './failure.js';

/** Different keys, models and codes in a batch. */
const maxGroups = 1000;
/** Each key keeps only its latest failures. */
const maxRequestsPerGroup = 20;

interface FailureGroup {
  first: Failure;
  count: number;
  latest: Failure[];
}

/** Failures that wait to be written. Its size is bounded; further failures are dropped. */
export class FailureBatch {
  private readonly groups = new Map<string, FailureGroup>();

  get isEmpty(): boolean {
    return this.groups.size === 0;
  }

  add(failure: Failure): void {
    const { key, model, status, code } = failure;
    const name = JSON.stringify([key, model, status, code]);
    const group = this.groups.get(name);
    if (group === undefined) {
      if (this.groups.size < maxGroups) this.groups.set(name, { first: failure, count: 1, latest: [failure] });
      return;
    }
    group.count += 1;
    group.latest.push(failure);
    if (group.latest.length > maxRequestsPerGroup) group.latest.shift();
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
