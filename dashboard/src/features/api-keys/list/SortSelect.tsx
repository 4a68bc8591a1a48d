import { NativeSelect } from '@mantine/core';
import type { Sort } from '../../../ui/SortableHeader.js';
import type { ApiKeysSearch } from '../../../common/api-keys/search.js';

type ApiKeysSort = Sort<ApiKeysSearch['orderBy']>;

const sorts: (ApiKeysSort & { label: string })[] = [
  { orderBy: 'createdAt', order: 'DESC', label: 'Newest first' },
  { orderBy: 'createdAt', order: 'ASC', label: 'Oldest first' },
  { orderBy: 'name', order: 'ASC', label: 'Name, A to Z' },
  { orderBy: 'name', order: 'DESC', label: 'Name, Z to A' },
  { orderBy: 'lastUsedAt', order: 'DESC', label: 'Last used, newest first' },
  { orderBy: 'lastUsedAt', order: 'ASC', label: 'Last used, oldest first' },
  { orderBy: 'expiresAt', order: 'ASC', label: 'Expires first' },
  { orderBy: 'expiresAt', order: 'DESC', label: 'Expires last' },
  { orderBy: 'creator', order: 'ASC', label: 'Creator, A to Z' },
  { orderBy: 'creator', order: 'DESC', label: 'Creator, Z to A' },
];

const valueOf = ({ orderBy, order }: ApiKeysSort) => `${orderBy} ${order}`;

interface SortSelectProps {
  sort: ApiKeysSort;
  onSort: (sort: ApiKeysSort) => void;
}

/** Sorts the keys on screens too small for the columns that can be sorted. */
export function SortSelect({ sort, onSort }: SortSelectProps) {
  return (
    <NativeSelect
      hiddenFrom="xl"
      flex={{ base: '1 1 140px', xs: 'none' }}
      aria-label="Sort by"
      value={valueOf(sort)}
      data={sorts.map((option) => ({ value: valueOf(option), label: option.label }))}
      onChange={({ currentTarget }) => {
        const chosen = sorts.find((option) => valueOf(option) === currentTarget.value);
        if (chosen !== undefined) onSort({ orderBy: chosen.orderBy, order: chosen.order });
      }}
    />
  );
}
