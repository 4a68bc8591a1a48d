import { IconKey } from '@tabler/icons-react';
import { type ReactNode, Suspense } from 'react';
import type { ApiKeyList } from '../../../api/schema.js';
import { lazyComponent } from '../../../lib/lazy-component.js';
import { usePermission } from '../../../session/me.js';
import { DataTable } from '../../../ui/DataTable.js';
import { EmptyState } from '../../../ui/EmptyState.js';
import { TablePagination } from '../../../ui/TablePagination.js';
import { apiKeyColumns, selectionColumn } from './columns.js';
import type { ApiKeyAction } from '../key-actions.js';
import { recentCostFormat } from './RecentUse.js';
import type { SelectedKeys } from './selected-keys.js';
import { type ApiKeysSearch, isFiltered } from '../../../common/api-keys/search.js';

const NoMatches = lazyComponent(() => import('./NoMatches.js'), 'NoMatches');

interface ApiKeysTableProps {
  search: ApiKeysSearch;
  /** `undefined` while loading. */
  list: ApiKeyList | undefined;
  /** Whether the list is of an earlier search. */
  isPrevious: boolean;
  onSearch: (change: Partial<ApiKeysSearch>) => void;
  onAction: (action: ApiKeyAction) => void;
  /** Undefined if the user can't change any key. */
  selected: SelectedKeys | undefined;
  onSelect: (selected: SelectedKeys) => void;
  /** A button to create the first key. */
  createFirst: ReactNode;
}

/** One page of keys. */
export function ApiKeysTable(props: ApiKeysTableProps) {
  const { search, list, isPrevious, onSearch, onAction, selected, onSelect, createFirst } = props;
  const apiKeys = list?.apiKeys ?? [];
  const columns = apiKeyColumns({
    onAction,
    hint: isPrevious ? undefined : search.hint,
    formatCost: recentCostFormat(apiKeys, list?.currency),
    currency: list?.currency,
  });
  // `useLastPageRedirect` is about to leave a page beyond the last one.
  const isBeyondLast = list !== undefined && list.apiKeys.length === 0 && list.total > 0;
  return (
    <>
      <DataTable
        label="API keys"
        columns={selected === undefined ? columns : [selectionColumn({ apiKeys, selected, onSelect }), ...columns]}
        rows={isBeyondLast ? undefined : list?.apiKeys}
        rowKey={({ id }) => id}
        sort={search}
        onSort={onSearch}
        empty={
          isFiltered(search) ? (
            <Suspense>
              <NoMatches search={search} onSearch={onSearch} />
            </Suspense>
          ) : (
            <NoKeys action={createFirst} />
          )
        }
      />
      {list !== undefined && (
        <TablePagination page={search.page} perPage={search.perPage} total={list.total} onChange={onSearch} />
      )}
    </>
  );
}

function NoKeys({ action }: { action: ReactNode }) {
  return (
    <EmptyState icon={<IconKey size={28} />} title="No keys yet" action={action}>
      Your services need a key to call the AI endpoints.{' '}
      {usePermission('create-api-keys')
        ? 'Create a separate key for each service.'
        : "Your role can't create keys. Ask an administrator for one."}
    </EmptyState>
  );
}
