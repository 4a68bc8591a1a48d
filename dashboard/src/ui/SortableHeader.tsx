import { Group, type MantineBreakpoint, Table, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** The sort order of a table. */
export interface Sort<SortKey extends string> {
  orderBy: SortKey;
  order: 'ASC' | 'DESC';
}

interface SortableHeaderProps<SortKey extends string> {
  header: ReactNode;
  hidesHeader?: boolean;
  sortKey?: SortKey;
  align?: 'left' | 'right';
  visibleFrom?: MantineBreakpoint;
  sort?: Sort<SortKey>;
  onSort?: (sort: Sort<SortKey>) => void;
}

/** A column header. Clicking it sorts by the column, clicking it again reverses the order. */
export function SortableHeader<SortKey extends string>({
  header,
  hidesHeader = false,
  sortKey,
  align,
  visibleFrom,
  sort,
  onSort,
}: SortableHeaderProps<SortKey>) {
  if (sortKey === undefined || sort === undefined || onSort === undefined) {
    return (
      <Table.Th ta={align} visibleFrom={visibleFrom} data-actions={hidesHeader || undefined}>
        {hidesHeader ? <VisuallyHidden>{header}</VisuallyHidden> : header}
      </Table.Th>
    );
  }
  const isSorted = sort.orderBy === sortKey;
  const isAscending = isSorted && sort.order === 'ASC';
  const Icon = isSorted ? (isAscending ? IconArrowUp : IconArrowDown) : IconArrowsSort;
  return (
    <Table.Th
      ta={align}
      visibleFrom={visibleFrom}
      aria-sort={isSorted ? (isAscending ? 'ascending' : 'descending') : 'none'}
    >
      <UnstyledButton
        fz="inherit"
        fw="inherit"
        style={{ whiteSpace: 'nowrap' }}
        onClick={() => onSort({ orderBy: sortKey, order: isAscending ? 'DESC' : 'ASC' })}
      >
        <Group gap={6} wrap="nowrap">
          {header}
          <Icon size={14} aria-hidden />
        </Group>
      </UnstyledButton>
    </Table.Th>
  );
}
