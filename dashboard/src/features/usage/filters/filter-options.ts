import type { UsageGroup } from '../../../api/schema.js';
import { labelOf } from '../charts/series.js';

/** An option of a select. */
interface Option {
  value: string;
  label: string;
}

/** Returns the used keys as options. */
export function toKeyOptions(groups: readonly UsageGroup[]): Option[] {
  const names = groups.map(({ apiKey }) => apiKey?.name);
  return groups.flatMap((group) =>
    group.apiKey === undefined ? [] : [{ value: group.apiKey.id, label: labelOf(group, names) }],
  );
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
