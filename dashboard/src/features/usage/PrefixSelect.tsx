import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { tagsQuery } from '../../common/api-keys/api-keys.js';
import { usePermission } from '../../session/me.js';
import type { LabelledGroup } from './charts/series.js';
import type { UsageSearch } from './search.js';
import { prefixesOf } from './tag-prefixes.js';

interface PrefixSelectProps {
  search: Pick<UsageSearch, 'tagPrefix'>;
  /** Some may be of tags that only deleted keys have. */
  groups: readonly LabelledGroup[];
  onChange: (change: Pick<UsageSearch, 'tagPrefix'>) => void;
}

/** Chooses the tags to split by, such as those that start with "team:". Hidden unless tags have prefixes. */
export function PrefixSelect({ search: { tagPrefix }, groups, onChange }: PrefixSelectProps) {
  const { data = [] } = useQuery({ ...tagsQuery, enabled: usePermission('get-api-keys') });
  const used = prefixesOf([...data, ...groups.flatMap(({ tag }) => tag ?? [])]);
  const prefixes = tagPrefix === undefined || used.includes(tagPrefix) ? used : [tagPrefix, ...used];
  if (prefixes.length === 0) return null;
  return (
    <NativeSelect
      size="xs"
      aria-label="Tags"
      value={tagPrefix ?? ''}
      data={[{ value: '', label: 'All tags' }, ...prefixes]}
      onChange={({ currentTarget: { value } }) => onChange({ tagPrefix: value === '' ? undefined : value })}
    />
  );
}
