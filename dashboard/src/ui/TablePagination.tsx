import { Group, NativeSelect, Pagination, Text } from '@mantine/core';
import { formatCount } from '../lib/format-numbers.js';
import { keepFocusInView } from '../lib/keep-focus-in-view.js';

const pageSizes = [10, 25, 50, 100];
const controlLabels = { first: 'First page', previous: 'Previous page', next: 'Next page', last: 'Last page' };

interface TablePaginationProps {
  page: number;
  perPage: number;
  total: number;
  onChange: (change: { page: number; perPage: number }) => void;
}

/** Shows the range of visible rows, the page size and links to other pages. */
export function TablePagination({ page, perPage, total, onChange }: TablePaginationProps) {
  if (total === 0) return null;
  const first = Math.min((page - 1) * perPage + 1, total);
  const show = (change: { page: number; perPage: number }) => {
    keepFocusInView();
    onChange(change);
  };
  return (
    <Group justify="space-between" mt="md" gap="sm">
      <Group gap="sm">
        <Text size="sm" c="dimmed" role="status">
          {formatCount(first)}–{formatCount(Math.min(page * perPage, total))} of {formatCount(total)}
        </Text>
        <NativeSelect
          size="xs"
          aria-label="Rows per page"
          value={String(perPage)}
          data={withCurrentSize(perPage).map((size) => ({ value: String(size), label: `${size} per page` }))}
          onChange={({ currentTarget }) => show({ page: 1, perPage: Number(currentTarget.value) })}
        />
      </Group>
      <Pagination
        size="sm"
        value={page}
        total={Math.ceil(total / perPage)}
        onChange={(next) => show({ page: next, perPage })}
        getControlProps={(control) => ({ 'aria-label': controlLabels[control] })}
        getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
      />
    </Group>
  );
}

/** Adds the current page size, which the URL may set to any value. */
function withCurrentSize(perPage: number): number[] {
  return [...new Set([...pageSizes, perPage])].sort((one, other) => one - other);
}
