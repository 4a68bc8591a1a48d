import { Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/api.js';
import { refetchMilliseconds } from '../../api/refetch-interval.js';
import { refresh } from '../../api/refresh.js';
import type { Webhook, WebhookDelivery } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { useDialog } from '../../hooks/use-dialog.js';
import { useNow } from '../../hooks/use-now.js';
import { notifyDone, notifyFailed } from '../../lib/notify.js';
import { usePermission } from '../../session/me.js';
import { CodeSnippet } from '../../ui/CodeSnippet.js';
import type { Column } from '../../ui/DataTable.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { FormModal } from '../../ui/FormModal.js';
import { PagedTable } from '../../ui/PagedTable.js';
import { Time } from '../../ui/Time.js';
import { describeAttempt } from './describe-attempt.js';
import { describeWait } from './describe-next-attempt.js';
import { deliveriesQuery } from './webhooks.js';

/** The deliveries of a webhook in the last 30 days, newest first. */
export function DeliveriesTable({ webhook }: { webhook: Webhook }) {
  const [page, setPage] = useState({ page: 1, perPage: 10 });
  const query = useQuery({ ...deliveriesQuery(webhook.id, page), refetchInterval: refetchMilliseconds });
  const details = useDialog<WebhookDelivery>();
  const { subject } = details;
  // Attempts may follow while the dialog is open. Newer deliveries may move this one to another page.
  const shown = query.data?.deliveries.find(({ id }) => id === subject?.id) ?? subject;
  return (
    <>
      <PagedTable
        label="Deliveries"
        columns={columns(details.open)}
        page={page}
        onPage={(change) => setPage((current) => ({ ...current, ...change }))}
        query={query}
        rows={query.data?.deliveries}
        empty={
          <EmptyState icon={<IconSend size={28} />} title="No deliveries">
            Events appear here as soon as they happen. Send a test event to try the webhook.
          </EmptyState>
        }
      />
      {shown && (
        <FormModal isOpen={details.isOpen} onClose={details.close} title={shown.event.type} size="lg">
          <Delivery webhook={webhook} delivery={shown} onClose={details.close} />
        </FormModal>
      )}
    </>
  );
}

const columns = (onOpen: (delivery: WebhookDelivery) => void): Column<WebhookDelivery>[] => [
  {
    key: 'event',
    header: 'Event',
    render: ({ event, kind }) => (
      <Group gap="xs">
        <Text size="sm" fw={500}>
          {event.type}
        </Text>
        {kind === 'redelivery' && <Badge variant="default">Redelivery</Badge>}
      </Group>
    ),
    breaksWords: true,
    isName: true,
  },
  { key: 'status', header: 'Status', render: (delivery) => <DeliveryStatus delivery={delivery} /> },
  {
    key: 'response',
    header: 'Latest response',
    render: ({ attempts }) => <Text size="sm">{describeAttempt(attempts.at(-1))}</Text>,
    visibleFrom: 'md',
    whenHidden: ({ attempts }) => describeAttempt(attempts.at(-1)),
  },
  {
    key: 'time',
    header: 'Time',
    render: ({ createdAt }) => <Time at={createdAt} />,
    visibleFrom: 'md',
    whenHidden: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    key: 'details',
    header: 'Details',
    hidesHeader: true,
    render: (delivery) => (
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Details of ${delivery.event.type}`}
        onClick={() => onOpen(delivery)}
      >
        Details
      </Button>
    ),
    align: 'right',
  },
];

const statusLabels = { succeeded: 'Delivered', waiting: 'Waiting', failed: 'Failed' };
const statusColors = { succeeded: 'teal', waiting: 'blue', failed: 'red' };

function DeliveryStatus({ delivery: { status } }: { delivery: WebhookDelivery }) {
  return (
    <Badge color={statusColors[status]} variant="light">
      {statusLabels[status]}
    </Badge>
  );
}

interface DeliveryProps {
  webhook: Webhook;
  delivery: WebhookDelivery;
  onClose: () => void;
}

function Delivery({ webhook, delivery, onClose }: DeliveryProps) {
  const { id, eventId, event, attempts } = delivery;
  const mayRedeliver = usePermission('update-webhooks');
  const { mutate, isPending } = useMutation({
    mutationFn: () => {
      const path = { id: webhook.id, deliveryId: id };
      return unwrap(api.POST('/webhooks/{id}/deliveries/{deliveryId}/redeliver', { params: { path } }));
    },
    onSuccess: () => {
      onClose();
      notifyDone('The event is sent again.');
      void refresh('webhooks');
    },
    onError: (error) => notifyFailed(error.message),
  });
  return (
    <Stack>
      <Text size="sm">
        Event <Code>{eventId}</Code>
      </Text>
      <CodeSnippet code={JSON.stringify(event, null, 2)} label="body" />
      {attempts.map(({ at, status, error, durationMs, response }, index) => (
        <div key={at}>
          <Text size="sm" fw={500}>
            Attempt {index + 1}, <Time at={at} />: {describeAttempt({ at, status, error, durationMs, response })}
          </Text>
          {response !== null && response !== '' && <CodeSnippet code={response} label={`response ${index + 1}`} />}
        </div>
      ))}
      <NextAttempt webhook={webhook} delivery={delivery} />
      {mayRedeliver && (
        <Group justify="flex-end">
          <Button loading={isPending} onClick={() => mutate()}>
            Redeliver
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function NextAttempt({ webhook, delivery }: Omit<DeliveryProps, 'onClose'>) {
  const wait = describeWait(delivery, webhook, useNow());
  if (wait !== undefined) return <Text size="sm">{wait}</Text>;
  if (delivery.nextAttemptAt === null) return null;
  return (
    <Text size="sm">
      Next attempt: <Time at={delivery.nextAttemptAt} />
    </Text>
  );
}
