import { Box, Button, Group, NativeSelect, Paper } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { nameLength } from '@rules/text-rules.js';
import { useDialog } from '../../../hooks/use-dialog.js';
import { useLastPageRedirect } from '../../../hooks/use-last-page-redirect.js';
import { lazyComponent } from '../../../lib/lazy-component.js';
import { usePermission } from '../../../session/me.js';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';
import { PageHeader } from '../../../ui/PageHeader.js';
import { RequirePermission } from '../../../ui/RequirePermission.js';
import { SearchField } from '../../../ui/SearchField.js';
import { TagFilter } from '../../../common/api-keys/TagFilter.js';
import { apiKeysQuery, fetchMatchingKeys, pageIncludes } from '../../../common/api-keys/api-keys.js';
import { notifyFailed } from '../../../lib/notify.js';
import { BulkDialogs, type KeysChanged, useBulkDialogs } from '../bulk/BulkDialogs.js';
import { type SelectedKeys, updateSelected } from './selected-keys.js';
import { ApiKeyDialogs } from '../dialogs/ApiKeyDialogs.js';
import type { ApiKeyAction } from '../key-actions.js';
import { ApiKeysTable } from './ApiKeysTable.js';
import { CreatorControl } from './CreatorControl.js';
import {
  type ApiKeysSearch,
  apiKeysSearchDefaults,
  isFiltered,
  keyStates,
  noFilters,
  readSearchText,
} from '../../../common/api-keys/search.js';
import { SelectionActions } from './SelectionActions.js';
import classes from './SelectionActions.module.css';
import { SortSelect } from './SortSelect.js';
import { ViewsMenu } from '../views/ViewsMenu.js';

// Makes sure a new key is visible.
const { page, orderBy, order } = apiKeysSearchDefaults;
const newestFirst = { page, orderBy, order, ...noFilters };

const stateLabels = {
  active: 'Active',
  disabled: 'Disabled',
  expired: 'Expired',
  expiring: 'Expire within 7 days',
  unused: 'Unused for 90 days',
  leaked: 'Leaked',
  'known-to-former-members': 'Known to removed members',
};

const route = getRouteApi('/dashboard/keys');
const CreateKeyModal = lazyComponent(() => import('../dialogs/CreateKeyModal.js'), 'CreateKeyModal');
const nothing: SelectedKeys = new Map();
const preload = () => void CreateKeyModal.preload?.();

/** The organization's keys. */
export function ApiKeysPage() {
  return (
    <RequirePermission permission="get-api-keys">
      <ApiKeys />
    </RequirePermission>
  );
}

function ApiKeys() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch, isPlaceholderData } = useQuery(apiKeysQuery({ ...search, include: pageIncludes }));
  const creation = useDialog();
  const dialog = useDialog<ApiKeyAction>();
  const dialogs = useBulkDialogs();
  const [selected, setSelected] = useState(nothing);
  const selectAll = useMutation({
    mutationFn: () => fetchMatchingKeys(search),
    onSuccess: (keys) => setSelected(new Map(keys.map((key) => [key.id, key]))),
    onError: ({ message }) => notifyFailed(message),
  });
  const mayUpdate = usePermission('update-api-keys');
  const mayDelete = usePermission('delete-api-keys');
  const show = (change: Partial<ApiKeysSearch>, options?: { replace: boolean }) => {
    // Selected keys of other pages stay selected, but not those that a filter hides.
    if (Object.keys(change).some((field) => field in noFilters)) setSelected(nothing);
    void navigate({ search: (current) => ({ ...current, page: 1, ...change }), ...options });
  };
  const current = new Map(data?.apiKeys.map((apiKey) => [apiKey.id, apiKey]));
  const selectedKeys = [...selected.values()].map((key) => current.get(key.id) ?? key);
  const update: KeysChanged = (changed, now) => setSelected((keys) => updateSelected(keys, changed, now));
  useLastPageRedirect({ ...search, total: isPlaceholderData ? undefined : data?.total }, (page) =>
    show({ page }, { replace: true }),
  );
  const create = () => creation.open();
  // While the filters are being cleared, the previous list may be empty.
  const list = isPlaceholderData && data?.total === 0 ? undefined : data;
  const hasNoKeys = list?.total === 0 && !isFiltered(search);
  // The empty list has its own button, so this one is hidden.
  const hasOwnButton = list === undefined ? error === null : hasNoKeys;
  return (
    <Box className={classes.page}>
      <PageHeader
        title="API keys"
        description="Keys your services use to authenticate."
        actions={!hasOwnButton && <CreateKeyButton label="Create key" onClick={create} onIntent={preload} />}
      />
      {!hasNoKeys && (
        <Group mb="md" gap="sm">
          <SearchField
            label="Search by name or key"
            maxLength={nameLength.max}
            value={search.hint ?? search.name}
            onSearch={(text) => show(readSearchText(text), { replace: true })}
          />
          <NativeSelect
            aria-label="State"
            flex={{ base: '1 1 130px', xs: 'none' }}
            value={search.state ?? ''}
            data={[
              { value: '', label: 'All states' },
              ...keyStates.map((value) => ({ value, label: stateLabels[value] })),
            ]}
            onChange={({ currentTarget }) =>
              show({ state: keyStates.find((state) => state === currentTarget.value) }, { replace: true })
            }
          />
          <CreatorControl
            creatorId={search.creatorId}
            onChange={(creatorId) => show({ creatorId }, { replace: true })}
          />
          <TagFilter
            flex={{ base: '1 1 130px', xs: 'none' }}
            tag={search.tag}
            onChange={(tag) => show({ tag }, { replace: true })}
          />
          <SortSelect sort={search} onSort={show} />
          <ViewsMenu search={search} onSearch={show} />
        </Group>
      )}
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {(data !== undefined || error === null) && (
        <Paper withBorder p="md" mb="md" opacity={isPlaceholderData ? 0.6 : 1}>
          <ApiKeysTable
            search={search}
            list={list}
            isPrevious={isPlaceholderData}
            onSearch={show}
            onAction={dialog.open}
            selected={mayUpdate || mayDelete ? selected : undefined}
            onSelect={setSelected}
            createFirst={<CreateKeyButton label="Create your first key" onClick={create} onIntent={preload} />}
          />
        </Paper>
      )}
      <SelectionActions
        keys={selectedKeys}
        total={data?.total ?? 0}
        onPage={data?.apiKeys.filter(({ id }) => selected.has(id)).length ?? 0}
        isPageSelected={data?.apiKeys.every(({ id }) => selected.has(id)) ?? false}
        isSelectingAll={selectAll.isPending}
        onSelectAll={() => selectAll.mutate()}
        onAction={dialogs.action.open}
        onEdit={dialogs.edit.open}
        onRotate={dialogs.rotation.open}
        onClear={() => setSelected(nothing)}
      />
      {creation.wasOpened && (
        <Suspense>
          <CreateKeyModal isOpen={creation.isOpen} onClose={creation.close} onSaved={() => show(newestFirst)} />
        </Suspense>
      )}
      <ApiKeyDialogs
        dialog={dialog}
        onDeleted={() => {
          if (dialog.subject !== undefined) update([dialog.subject.apiKey], []);
          return Promise.resolve();
        }}
      />
      <BulkDialogs {...dialogs} onChanged={update} />
    </Box>
  );
}

interface CreateKeyButtonProps {
  label: string;
  onClick: () => void;
  /** Called when the user hovers over or focuses the button. */
  onIntent: () => void;
}

/** A button to create a key, hidden from users who lack the permission. */
function CreateKeyButton({ label, onClick, onIntent }: CreateKeyButtonProps) {
  if (!usePermission('create-api-keys')) return null;
  return (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      onMouseEnter={onIntent}
      onFocus={onIntent}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}
