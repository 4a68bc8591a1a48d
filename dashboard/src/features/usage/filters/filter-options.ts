import type { FailureCount, UsageGroup } from '../../../api/schema.js';
import { labelOf } from '../charts/series.js';

/** An option of a select. */
export interface Option {
  value: string;
  label: string;
}

/** Returns the used keys as options, then other keys with failures: rejected requests may not count as usage. */
export function toKeyOptions(
  groups: readonly UsageGroup[],
  failures: readonly Pick<FailureCount, 'apiKeys'>[],
): Option[] {
  const used = groups.flatMap(({ apiKey }) => (apiKey === undefined ? [] : [apiKey]));
  const failed = failures.flatMap(({ apiKeys }) => apiKeys);
  const keys = [...new Map([...used, ...failed].map((apiKey) => [apiKey.id, apiKey])).values()];
  const names = keys.map(({ name }) => name);
  return keys.map((apiKey) => ({ value: apiKey.id, label: labelOf({ apiKey }, names) }));
}

/** Returns the used models as options. */
export function toModelOptions(groups: readonly UsageGroup[]): Option[] {
  return groups.flatMap(({ model }) => (model === undefined ? [] : [{ value: model, label: model }]));
}

/** Adds the selected value if it wasn't used in the range. */
export function withSelected(options: Option[], value: string | undefined, label: string): Option[] {
  const isMissing = value !== undefined && options.every((option) => option.value !== value);
  return isMissing ? [{ value, label }, ...options] : options;
}
