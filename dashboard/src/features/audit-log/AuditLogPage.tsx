import { Button, Center, Paper } from '@mantine/core';
import { IconDownload, IconFilterOff, IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useLayoutEffect, useRef } from 'react';
import { usePendingFocus } from '../../hooks/use-pending-focus.js';
import { dayOf } from '../../lib/calendar-day.js';
import { notifyFailed } from '../../lib/notify.js';
import { focusContent } from '../../lib/restore-focus.js';
import { saveFile } from '../../lib/save-file.js';
import { ClearFiltersButton } from '../../ui/ClearFiltersButton.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { PageHeader } from '../../ui/PageHeader.js';
import { RequirePermission } from '../../ui/RequirePermission.js';
import { auditEventsQuery, exportAuditEvents } from './audit-events.js';
import { EventList } from './events/EventList.js';
import { AuditFilters } from './filters/AuditFilters.js';
import type { AuditLogSearch } from './search.js';

const route = getRouteApi('/dashboard/audit-log');

/** Lists the organization's audit events. */
export function AuditLogPage() {
  return (
    <RequirePermission permission="get-audit-events">
      <AuditLog />
    </RequirePermission>
  );
}

function AuditLog() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(auditEventsQuery(search));
  const keepFocus = usePendingFocus(query.isFetchingNextPage);
  const events = query.data?.pages.flatMap(({ auditEvents }) => auditEvents);
  const { list, focusNext } = useFocusOfNewItems(events?.length ?? 0);
  const loadMore = () => {
    keepFocus();
    focusNext();
    void query.fetchNextPage();
  };
  const updateSearch = (change: AuditLogSearch) => void navigate({ search: (current) => ({ ...current, ...change }) });
  return (
    <>
      <PageHeader
        title="Audit log"
        description="See who did what in your organization, and when."
        actions={<ExportButton search={search} />}
      />
      <AuditFilters search={search} events={events ?? []} onChange={updateSearch} />
      {(events !== undefined || !query.isError) && (
        <Paper ref={list} withBorder p="md" opacity={query.isPlaceholderData ? 0.6 : 1} aria-busy={query.isFetching}>
          {events?.length === 0 ? (
            <NoEvents search={search} onClear={() => void navigate({ search: {} })} />
          ) : (
            <EventList events={events} />
          )}
          {query.hasNextPage && (
            <Center mt="md">
              <Button variant="default" loading={query.isFetchingNextPage} onClick={loadMore}>
                Load more
              </Button>
            </Center>
          )}
        </Paper>
      )}
      {query.isError && (
        <ErrorAlert
          error={query.error}
          onRetry={() => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())}
        />
      )}
    </>
  );
}

/** The events and groups of a list, without the events in open groups. */
const itemsOf = (list: HTMLElement | null) =>
  Array.from(list?.querySelectorAll<HTMLElement>(':scope > section > ul > li') ?? []);

/**
 * Returns the `ref` of a list, and a function to call before more events are loaded: the first new item gets the focus, or
 * the last one if they all belong to its group.
 */
function useFocusOfNewItems(eventCount: number) {
  const list = useRef<HTMLDivElement>(null);
  const previous = useRef<{ eventCount: number; itemCount: number }>(undefined);
  useLayoutEffect(() => {
    if (previous.current === undefined || eventCount <= previous.current.eventCount) return;
    const items = itemsOf(list.current);
    focusContent(items[previous.current.itemCount] ?? items.at(-1) ?? null);
    previous.current = undefined;
  }, [eventCount]);
  const focusNext = () => (previous.current = { eventCount, itemCount: itemsOf(list.current).length });
  return { list, focusNext };
}

function NoEvents({ search, onClear }: { search: AuditLogSearch; onClear: () => void }) {
  if (Object.values(search).some((value) => value !== undefined)) {
    return (
      <EmptyState
        icon={<IconFilterOff size={28} />}
        title="No matching events"
        action={<ClearFiltersButton onClear={onClear} />}
      >
        Try changing or clearing the filters.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<IconHistory size={28} />} title="No events yet">
      Sign-ins and changes will appear here.
    </EmptyState>
  );
}

/** Downloads all matching events as CSV, not just the loaded ones. */
function ExportButton({ search }: { search: AuditLogSearch }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => exportAuditEvents(search),
    onSuccess: (csv) => saveFile(`audit-events-${dayOf(new Date())}.csv`, csv),
    onError: ({ message }) => notifyFailed(`Export failed. ${message}`),
  });
  const keepFocus = usePendingFocus(isPending);
  const exportAll = () => {
    keepFocus();
    mutate();
  };
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={isPending}
      onClick={exportAll}
    >
      Export CSV
    </Button>
  );
}
