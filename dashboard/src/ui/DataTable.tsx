import { Box, Group, type MantineBreakpoint, Skeleton, Table } from '@mantine/core';
import { type ReactNode, useDeferredValue } from 'react';
import { focusIfScrolling } from '../lib/focus-if-scrolling.js';
import { useNarrowerThan } from '../hooks/use-narrower-than.js';
import classes from './DataTable.module.css';
import { SortableHeader, type Sort } from './SortableHeader.js';

/** A column of a table. */
export interface Column<Row, SortKey extends string = never> {
  key: string;
  header: ReactNode;
  /** For buttons and menus: shows the header only to screen readers, and keeps the column in view while the table scrolls. */
  hidesHeader?: boolean;
  render: (row: Row) => ReactNode;
  /** The `orderBy` value of the API. Columns without it can't be sorted. */
  sortKey?: SortKey;
  align?: 'left' | 'right';
  /** Breaks long words, for names chosen by users. */
  breaksWords?: boolean;
  /** Hides the column on narrower screens, where `whenHidden` is shown below the name of the row. */
  visibleFrom?: MantineBreakpoint;
  /** A short text that says what it means without a header, such as "Used 3 minutes ago"; null for nothing. */
  whenHidden?: (row: Row) => ReactNode;
  /** Whether the column has the name of the row. */
  isName?: boolean;
}

interface DataTableProps<Row, SortKey extends string> {
  /** Accessible name. */
  label: string;
  columns: Column<Row, SortKey>[];
  /** `undefined` while loading. */
  rows: Row[] | undefined;
  /** Shown below the others. */
  total?: Row | undefined;
  rowKey: (row: Row) => string;
  /** Shown instead of a table without rows. */
  empty: ReactNode;
  sort?: Sort<SortKey>;
  onSort?: (sort: Sort<SortKey>) => void;
  /** The number of placeholder rows while loading. */
  skeletonRows?: number;
}

/** A table with a loading and an empty state. */
export function DataTable<Row, SortKey extends string = never>(props: DataTableProps<Row, SortKey>) {
  const { label, columns, rows, total, rowKey, empty, sort, onSort, skeletonRows = 5 } = props;
  if (rows?.length === 0) return empty;
  return (
    <Table.ScrollContainer
      minWidth={300}
      scrollAreaProps={{ viewportRef: focusIfScrolling, viewportProps: { 'aria-label': label } }}
    >
      <Table className={classes.table} highlightOnHover aria-label={label} aria-busy={rows === undefined}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ key, header, hidesHeader, sortKey, align, visibleFrom }) => (
              <SortableHeader key={key} {...{ header, hidesHeader, sortKey, align, visibleFrom, sort, onSort }} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows === undefined ? (
            <SkeletonRows columns={columns} count={skeletonRows} />
          ) : (
            <Rows columns={columns} rows={rows} rowKey={rowKey} />
          )}
        </Table.Tbody>
        {total !== undefined && (
          <Table.Tfoot>
            <Rows columns={columns} rows={[total]} rowKey={() => 'total'} />
          </Table.Tfoot>
        )}
      </Table>
    </Table.ScrollContainer>
  );
}

/** As many rows as fit a screen. */
const firstRows = 30;

interface RowsProps<Row> {
  columns: Omit<Column<Row>, 'sortKey'>[];
  rows: Row[];
  rowKey: (row: Row) => string;
}

/**
 * Shows the first rows right away. The others follow without blocking input: a hundred take a slow phone a second. Rows and cells
 * are elements with Mantine's classes, because its components for them would take half as long again.
 */
function Rows<Row>({ columns, rows, rowKey }: RowsProps<Row>) {
  const isNarrow = useNarrowerThan('lg');
  const count = useDeferredValue(rows.length, Math.min(rows.length, firstRows));
  return rows.slice(0, count).map((row) => (
    <tr key={rowKey(row)} className={Table.classes.tr} data-with-row-border data-hover>
      {columns.map(({ key, hidesHeader, render, isName, ...column }) => (
        <td key={key} className={cellClasses(column)} data-align={column.align} data-actions={hidesHeader || undefined}>
          {render(row)}
          {isName === true && isNarrow && <HiddenColumns columns={columns} row={row} />}
        </td>
      ))}
    </tr>
  ));
}

/** Right-aligned columns have numbers or buttons. */
function cellClasses({ align, breaksWords, visibleFrom }: Omit<Column<never>, 'key' | 'header' | 'render'>): string {
  const classNames = [Table.classes.td];
  if (visibleFrom !== undefined) classNames.push(`mantine-visible-from-${visibleFrom}`);
  if (breaksWords === true) classNames.push(classes.breaking);
  else if (align === 'right') classNames.push(classes.number);
  return classNames.join(' ');
}

interface HiddenColumnsProps<Row> {
  columns: Pick<Column<Row>, 'key' | 'visibleFrom' | 'whenHidden'>[];
  row: Row;
}

/** A second line with what the hidden columns would show. */
function HiddenColumns<Row>({ columns, row }: HiddenColumnsProps<Row>) {
  return (
    <Group gap="0 8px" mt={2} fz="xs" fw={400} c="dimmed">
      {columns.map(({ key, visibleFrom, whenHidden }) => {
        const content = whenHidden?.(row) ?? null;
        return (
          content !== null && (
            <Box key={key} hiddenFrom={visibleFrom}>
              {content}
            </Box>
          )
        );
      })}
    </Group>
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

/** Text shown for a missing value, such as "Never". */
export function NoValue({ children }: { children: string }) {
  return <span className={classes.noValue}>{children}</span>;
}
