import { Paper } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { DataTable } from '../../ui/DataTable.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { TablePagination } from '../../ui/TablePagination.js';
import { useLastPageRedirect } from '../../hooks/use-last-page-redirect.js';
import { invitationColumns } from './columns.js';
import { invitationsQuery } from './invitations.js';
import { InviteButton } from './InviteButton.js';
import type { Invitee } from './InviteModal.js';

const route = getRouteApi('/dashboard/members');

interface InvitationsTableProps {
  onInvite: (invitee?: Invitee) => void;
}

/** Pending invitations, newest first. */
export function InvitationsTable({ onInvite }: InvitationsTableProps) {
  const { page, perPage } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch, isPlaceholderData } = useQuery(invitationsQuery({ page, perPage }));
  const updateSearch = (change: { page: number }, options?: { replace: boolean }) =>
    void navigate({ search: (current) => ({ ...current, ...change }), ...options });
  useLastPageRedirect({ page, perPage, total: isPlaceholderData ? undefined : data?.total }, (last) =>
    updateSearch({ page: last }, { replace: true }),
  );
  if (data === undefined && error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  return (
    <Paper withBorder p={{ base: 'xs', xs: 'md' }} opacity={isPlaceholderData ? 0.6 : 1}>
      <DataTable
        label="Invitations"
        columns={invitationColumns(onInvite)}
        rows={data?.invitations}
        rowKey={({ id }) => id}
        skeletonRows={3}
        empty={<NoInvitations onInvite={() => onInvite()} />}
      />
      {data !== undefined && (
        <TablePagination page={page} perPage={perPage} total={data.total} onChange={updateSearch} />
      )}
    </Paper>
  );
}

function NoInvitations({ onInvite }: { onInvite: () => void }) {
  return (
    <EmptyState
      icon={<IconMail size={28} />}
      title="No pending invitations"
      action={<InviteButton onClick={onInvite} />}
    >
      Invitations appear here until accepted or withdrawn.
    </EmptyState>
  );
}
