import { type MantineBreakpoint, Skeleton, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './DataTable.module.css';
import { SortableHeader, type Sort } from './SortableHeader.js';

/** What a table shows of each row, and how. */
export interface Column<Row, SortKey extends string = never> {
  key: string;
  header: string;
  render: (row: Row) => ReactNode;
  /** What the service calls it in `orderBy`; without it the column cannot be sorted. */
  sortKey?: SortKey;
  align?: 'left' | 'right';
  /** Lets lines end within words, for what people have given names to. */
  breaksWords?: boolean;
  /** Leaves the column out on narrower screens. */
  visibleFrom?: MantineBreakpoint;
}

interface DataTableProps<Row, SortKey extends string> {
  /** What the table lists, for those who cannot see it. */
  label: string;
  columns: Column<Row, SortKey>[];
  /** `undefined` while they load. */
  rows: Row[] | undefined;
  rowKey: (row: Row) => string;
  /** Stands in place of the rows when there are none. */
  empty: ReactNode;
  sort?: Sort<SortKey>;
  onSort?: (sort: Sort<SortKey>) => void;
  /** How many rows are probably coming. */
  skeletonRows?: number;
}

/** A table whose rows come from the service: skeletons first, then the rows or what to do without any. */
export function DataTable<Row, SortKey extends string = never>(props: DataTableProps<Row, SortKey>) {
  const { label, columns, rows, rowKey, empty, sort, onSort, skeletonRows = 5 } = props;
  if (rows?.length === 0) return empty;
  return (
    <Table.ScrollContainer minWidth={300} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': label } }}>
      <Table verticalSpacing="sm" highlightOnHover aria-label={label} aria-busy={rows === undefined}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ key, header, sortKey, align, visibleFrom }) => (
              <SortableHeader key={key} {...{ header, sortKey, align, visibleFrom, sort, onSort }} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows === undefined ? (
            <SkeletonRows columns={columns} count={skeletonRows} />
          ) : (
            rows.map((row) => (
              <Table.Tr key={rowKey(row)}>
                {columns.map(({ key, render, align, breaksWords, visibleFrom }) => (
                  <Table.Td
                    key={key}
                    ta={align}
                    visibleFrom={visibleFrom}
                    className={breaksWords === true ? classes.breaking : undefined}
                  >
                    {render(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))
          )}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface SkeletonRowsProps {
  columns: { key: string; visibleFrom?: MantineBreakpoint }[];
  count: number;
}

function SkeletonRows({ columns, count }: SkeletonRowsProps) {
  return Array.from({ length: count }, (_, index) => (
    <Table.Tr key={index}>
      {columns.map(({ key, visibleFrom }) => (
        <Table.Td key={key} visibleFrom={visibleFrom}>
          <Skeleton height={14} my={4} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}

/** What a table shows for a value that there is none of. */
export function NoValue({ children }: { children: string }) {
  return (
    <Text c="dimmed" size="sm">
      {children}
    </Text>
  );
}
