import { Group, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { readChoice, readText } from '../../../lib/search-parameters.js';
import { usePermission } from '../../../session/me.js';
import { apiKeyQuery } from '../../api-keys/api-keys.js';
import { failureCountsQuery } from '../failures/failures.js';
import { type Option, toKeyOptions, toModelOptions, withSelected } from './filter-options.js';
import type { UsageSearch } from '../search.js';
import { usedQuery } from '../usage.js';

interface UsageFiltersProps {
  search: UsageSearch;
  onChange: (change: Partial<UsageSearch>) => void;
}

const groupings: { value: UsageSearch['groupBy']; label: string }[] = [
  { value: 'none', label: 'No grouping' },
  { value: 'apiKey', label: 'Group by key' },
  { value: 'model', label: 'Group by model' },
];

/** Fills the lines of a phone. */
const flex = { base: '1 1 130px', xs: 'none' };

/** Selects the grouping, key and model. */
export function UsageFilters({ search, onChange }: UsageFiltersProps) {
  const { range, from, to, groupBy, apiKeyId, model } = search;
  const { data: usedKeys = [] } = useQuery(usedQuery('apiKey', search));
  // For all keys and models. Without these filters, the table of causes shares the request.
  const { data: failed } = useQuery(failureCountsQuery({ range, from, to, groupBy }));
  const keys = toKeyOptions(usedKeys, failed?.failures ?? []);
  const unusedName = useUnusedName(apiKeyId, keys);
  const models = toModelOptions(useQuery(usedQuery('model', search)).data ?? []);
  return (
    <Group gap="sm" w={{ base: '100%', xs: 'auto' }}>
      <NativeSelect
        size="xs"
        flex={flex}
        aria-label="Group by"
        value={groupBy}
        data={groupings}
        onChange={({ currentTarget }) =>
          onChange({ groupBy: readChoice<UsageSearch['groupBy']>(currentTarget.value, ['none', 'apiKey', 'model']) })
        }
      />
      <NativeSelect
        size="xs"
        flex={flex}
        maw={{ xs: 260 }}
        aria-label="API key"
        value={apiKeyId ?? ''}
        data={[{ value: '', label: 'All keys' }, ...withSelected(keys, apiKeyId, unusedName)]}
        onChange={({ currentTarget }) => onChange({ apiKeyId: readText(currentTarget.value) })}
      />
      <NativeSelect
        size="xs"
        flex={flex}
        maw={{ xs: 260 }}
        aria-label="Model"
        value={model ?? ''}
        data={[{ value: '', label: 'All models' }, ...withSelected(models, model, model ?? '')]}
        onChange={({ currentTarget }) => onChange({ model: readText(currentTarget.value) })}
      />
    </Group>
  );
}

/** Looks up the name of a selected key that wasn't used in the range. Deleted keys have none. */
function useUnusedName(apiKeyId: string | undefined, usedKeys: readonly Option[]): string {
  const isUnused = usedKeys.every(({ value }) => value !== apiKeyId);
  const mayGetKeys = usePermission('get-api-keys');
  const { data } = useQuery({
    ...apiKeyQuery(apiKeyId ?? ''),
    enabled: apiKeyId !== undefined && isUnused && mayGetKeys,
  });
  return data?.name ?? 'Key not used in this period';
}
