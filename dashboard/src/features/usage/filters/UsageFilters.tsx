import { Group, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { TagFilter } from '../../../common/api-keys/TagFilter.js';
import { readChoice, readText } from '../../../lib/search-parameters.js';
import { toModelOptions, withSelected } from './filter-options.js';
import { KeyFilter } from './KeyFilter.js';
import { groupings, type UsageSearch } from '../search.js';
import { usedQuery } from '../usage.js';

interface UsageFiltersProps {
  search: UsageSearch;
  onChange: (change: Partial<UsageSearch>) => void;
}

const options: { value: UsageSearch['groupBy']; label: string }[] = [
  { value: 'none', label: 'No grouping' },
  { value: 'apiKey', label: 'Group by key' },
  { value: 'model', label: 'Group by model' },
  { value: 'tag', label: 'Group by tag' },
];

/** Fills the lines of a phone. */
const flex = { base: '1 1 130px', xs: 'none' };

/** Selects the grouping, key, model and tag. */
export function UsageFilters({ search, onChange }: UsageFiltersProps) {
  const { groupBy, model, tag } = search;
  const models = toModelOptions(useQuery(usedQuery('model', search)).data ?? []);
  return (
    <Group gap="sm" w={{ base: '100%', xs: 'auto' }}>
      <NativeSelect
        size="xs"
        flex={flex}
        aria-label="Group by"
        value={groupBy}
        data={options}
        onChange={({ currentTarget }) => onChange({ groupBy: readChoice(currentTarget.value, groupings) })}
      />
      <KeyFilter {...{ search, onChange, flex }} />
      <NativeSelect
        size="xs"
        flex={flex}
        maw={{ xs: 260 }}
        aria-label="Model"
        value={model ?? ''}
        data={[{ value: '', label: 'All models' }, ...withSelected(models, model, model ?? '')]}
        onChange={({ currentTarget }) => onChange({ model: readText(currentTarget.value) })}
      />
      <TagFilter size="xs" flex={flex} tag={tag} onChange={(chosen) => onChange({ tag: chosen })} />
    </Group>
  );
}
