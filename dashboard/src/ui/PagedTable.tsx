import { Paper } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLastPageRedirect } from '../hooks/use-last-page-redirect.js';
import { type Column, DataTable } from './DataTable.js';
import { ErrorAlert } from './ErrorAlert.js';
import { TablePagination } from './TablePagination.js';

interface Page {
  page: number;
  perPage: number;
}

interface PagedTableProps<Row> {
  /** Accessible name. */
  label: string;
  columns: Column<Row>[];
  /** The page that the URL names. */
  page: Page;
  /** Shows another page, by a change of the URL. */
  onPage: (change: Partial<Page>, options?: { replace: boolean }) => void;
  query: Pick<UseQueryResult<{ total: number }>, 'data' | 'error' | 'refetch' | 'isPlaceholderData'>;
  /** The rows of the page; `undefined` while loading. */
  rows: Row[] | undefined;
  /** Shown instead of a table without rows. */
  empty: ReactNode;
}

/** A table with pages that are part of the URL. */
export function PagedTable<Row extends { id: string }>(props: PagedTableProps<Row>) {
  const { label, columns, page, onPage, query, rows, empty } = props;
  const { data, error, refetch, isPlaceholderData } = query;
  useLastPageRedirect({ ...page, total: isPlaceholderData ? undefined : data?.total }, (last) =>
    onPage({ page: last }, { replace: true }),
  );
  if (data === undefined && error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  return (
    <Paper withBorder p={{ base: 'xs', xs: 'md' }} opacity={isPlaceholderData ? 0.6 : 1}>
      <DataTable label={label} columns={columns} rows={rows} rowKey={({ id }) => id} skeletonRows={3} empty={empty} />
      {data !== undefined && <TablePagination {...page} total={data.total} onChange={onPage} />}
    </Paper>
  );
}
