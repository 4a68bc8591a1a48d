import { Anchor, Button, Text } from '@mantine/core';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { refetchMilliseconds } from '../../api/refetch-interval.js';
import type { Webhook } from '../../api/schema.js';
import { useDialog } from '../../hooks/use-dialog.js';
import { usePermission } from '../../session/me.js';
import type { Column } from '../../ui/DataTable.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { PagedTable } from '../../ui/PagedTable.js';
import { PageHeader } from '../../ui/PageHeader.js';
import { RequirePermission } from '../../ui/RequirePermission.js';
import { Time } from '../../ui/Time.js';
import { CreateWebhookModal } from './WebhookFormModals.js';
import { WebhookState } from './WebhookState.js';
import { webhooksQuery } from './webhooks.js';

/** Lists the organization's webhooks. */
export function WebhooksPage() {
  return (
    <RequirePermission permission="get-webhooks">
      <Webhooks />
    </RequirePermission>
  );
}

function Webhooks() {
  const [page, setPage] = useState({ page: 1, perPage: 10 });
  const query = useQuery({ ...webhooksQuery(page), refetchInterval: refetchMilliseconds });
  const creation = useDialog();
  const mayCreate = usePermission('create-webhooks');
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="URLs that events of this organization are sent to."
        actions={
          mayCreate && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => creation.open()}>
              Create webhook
            </Button>
          )
        }
      />
      <PagedTable
        label="Webhooks"
        columns={columns}
        page={page}
        onPage={(change) => setPage((current) => ({ ...current, ...change }))}
        query={query}
        rows={query.data?.webhooks}
        empty={
          <EmptyState icon={<IconWebhook size={28} />} title="No webhooks">
            Webhooks report to your systems when a key expires, a budget is exhausted or a member joins.
          </EmptyState>
        }
      />
      <CreateWebhookModal isOpen={creation.isOpen} onClose={creation.close} />
    </>
  );
}

const columns: Column<Webhook>[] = [
  {
    key: 'url',
    header: 'URL',
    render: ({ id, url }) => (
      <Anchor
        size="sm"
        fw={500}
        renderRoot={(props) => <Link to="/dashboard/webhooks/$id" params={{ id }} {...props} />}
      >
        {url}
      </Anchor>
    ),
    breaksWords: true,
    isName: true,
  },
  {
    key: 'events',
    header: 'Events',
    render: ({ eventTypes }) => <Text size="sm">{describeTypes(eventTypes)}</Text>,
    visibleFrom: 'md',
    whenHidden: ({ eventTypes }) => describeTypes(eventTypes),
  },
  { key: 'state', header: 'State', render: (webhook) => <WebhookState webhook={webhook} /> },
  {
    key: 'created',
    header: 'Created',
    render: ({ createdAt }) => <Time at={createdAt} />,
    visibleFrom: 'md',
    whenHidden: () => null,
  },
];

function describeTypes(types: Webhook['eventTypes']): string {
  if (types === null) return 'All events';
  const [first = '', ...others] = types;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
