import type { UsageGroup } from '../../../api/schema.js';
import { labelOf } from '../charts/series.js';

/** What can be chosen in a list. */
interface Option {
  value: string;
  label: string;
}

/** The keys that were used. */
export function toKeyOptions(groups: readonly UsageGroup[]): Option[] {
  const names = groups.map(({ apiKey }) => apiKey?.name);
  return groups.flatMap((group) =>
    group.apiKey === undefined ? [] : [{ value: group.apiKey.id, label: labelOf(group, names) }],
  );
}

/** The models that were used. */
export function toModelOptions(groups: readonly UsageGroup[]): Option[] {
  return groups.flatMap(({ model }) => (model === undefined ? [] : [{ value: model, label: model }]));
}

/** The options, and first of them what is chosen when it was not used. */
export function withChosen(options: Option[], value: string | undefined, label: string): Option[] {
  const isMissing = value !== undefined && options.every((option) => option.value !== value);
  return isMissing ? [{ value, label }, ...options] : options;
}
