import { Paper } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLastPageRedirect } from '../../hooks/use-last-page-redirect.js';
import { type Column, DataTable } from '../../ui/DataTable.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { TablePagination } from '../../ui/TablePagination.js';

const route = getRouteApi('/dashboard/members');

interface PagedTableProps<Row> {
  /** Accessible name. */
  label: string;
  columns: Column<Row>[];
  /** The page that the URL names. */
  query: Pick<UseQueryResult<{ total: number }>, 'data' | 'error' | 'refetch' | 'isPlaceholderData'>;
  /** The rows of the page; `undefined` while loading. */
  rows: Row[] | undefined;
  /** Shown instead of a table without rows. */
  empty: ReactNode;
}

/** A table on the Members page, with pages that are part of the URL. */
export function PagedTable<Row extends { id: string }>({ label, columns, query, rows, empty }: PagedTableProps<Row>) {
  const { page, perPage } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch, isPlaceholderData } = query;
  const updateSearch = (change: { page: number; perPage?: number }, options?: { replace: boolean }) =>
    void navigate({ search: (current) => ({ ...current, ...change }), ...options });
  useLastPageRedirect({ page, perPage, total: isPlaceholderData ? undefined : data?.total }, (last) =>
    updateSearch({ page: last }, { replace: true }),
  );
  if (data === undefined && error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  return (
    <Paper withBorder p={{ base: 'xs', xs: 'md' }} opacity={isPlaceholderData ? 0.6 : 1}>
      <DataTable label={label} columns={columns} rows={rows} rowKey={({ id }) => id} skeletonRows={3} empty={empty} />
      {data !== undefined && (
        <TablePagination page={page} perPage={perPage} total={data.total} onChange={updateSearch} />
      )}
    </Paper>
  );
}
