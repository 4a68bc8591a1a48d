import { Anchor, Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { api } from '../../api/api.js';
import { refetchMilliseconds } from '../../api/refetch-interval.js';
import { refresh } from '../../api/refresh.js';
import type { Webhook } from '../../api/schema.js';
import { ignoreNotFound, unwrap } from '../../api/service-error.js';
import { useDialog } from '../../hooks/use-dialog.js';
import { notifyDone, notifyFailed } from '../../lib/notify.js';
import { usePermission } from '../../session/me.js';
import { CodeTabs } from '../../ui/CodeTabs.js';
import { ConfirmModal } from '../../ui/ConfirmModal.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { PageHeader } from '../../ui/PageHeader.js';
import { RequirePermission } from '../../ui/RequirePermission.js';
import { DeliveriesTable } from './DeliveriesTable.js';
import { verificationSamples } from './verification-samples.js';
import { EditWebhookModal, RotateWebhookModal } from './WebhookFormModals.js';
import { WebhookState } from './WebhookState.js';
import { webhookQuery } from './webhooks.js';

const route = getRouteApi('/dashboard/webhooks/$id');

/** A webhook and its deliveries. */
export function WebhookPage() {
  return (
    <RequirePermission permission="get-webhooks">
      <WebhookById />
    </RequirePermission>
  );
}

function WebhookById() {
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery({ ...webhookQuery(id), refetchInterval: refetchMilliseconds });
  return (
    <>
      <Anchor size="sm" c="dimmed" renderRoot={(props) => <Link to="/dashboard/webhooks" {...props} />}>
        <Group component="span" display="inline-flex" gap={4}>
          <IconArrowLeft size={14} aria-hidden />
          Webhooks
        </Group>
      </Anchor>
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data !== undefined && <WebhookDetails webhook={data} />}
      {data === undefined && error === null && <Skeleton height={320} mt="md" />}
    </>
  );
}

function WebhookDetails({ webhook }: { webhook: Webhook }) {
  const { url, eventTypes } = webhook;
  return (
    <>
      <PageHeader
        title={new URL(url).host}
        badge={<WebhookState webhook={webhook} />}
        description={url}
        actions={<WebhookActions webhook={webhook} />}
      />
      <Stack gap="xl">
        <Text size="sm">Events: {eventTypes === null ? 'all' : eventTypes.join(', ')}</Text>
        <section aria-labelledby="deliveries">
          <Title order={2} size="h4" mb="sm" id="deliveries">
            Deliveries
          </Title>
          <DeliveriesTable webhook={webhook} />
        </section>
        <section aria-labelledby="verify">
          <Title order={2} size="h4" mb="sm" id="verify">
            Receive and verify events
          </Title>
          <Paper withBorder p="md">
            <CodeTabs snippets={verificationSamples} />
          </Paper>
        </section>
      </Stack>
    </>
  );
}

function WebhookActions({ webhook }: { webhook: Webhook }) {
  const { id, url } = webhook;
  const [mayUpdate, mayDelete] = [usePermission('update-webhooks'), usePermission('delete-webhooks')];
  const [edit, rotation, deletion] = [useDialog(), useDialog(), useDialog()];
  const navigate = useNavigate();
  const { mutate: test, isPending } = useMutation({
    mutationFn: () => unwrap(api.POST('/webhooks/{id}/test', { params: { path: { id } } })),
    onSuccess: () => {
      notifyDone('Test event queued. Deliveries show the response.');
      void refresh('webhooks');
    },
    onError: (error) => notifyFailed(error.message),
  });
  return (
    <>
      {mayUpdate && (
        <>
          <Button variant="default" loading={isPending} onClick={() => test()}>
            Send test event
          </Button>
          <Button variant="default" onClick={() => edit.open()}>
            Edit
          </Button>
          <Button variant="default" onClick={() => rotation.open()}>
            Rotate secret
          </Button>
        </>
      )}
      {mayDelete && (
        <Button variant="default" c="var(--mantine-color-error)" onClick={() => deletion.open()}>
          Delete
        </Button>
      )}
      <EditWebhookModal webhook={webhook} isOpen={edit.isOpen} onClose={edit.close} />
      <RotateWebhookModal webhook={webhook} isOpen={rotation.isOpen} onClose={rotation.close} />
      <ConfirmModal
        isOpen={deletion.isOpen}
        onClose={deletion.close}
        title="Delete webhook"
        actionLabel="Delete webhook"
        action={() => ignoreNotFound(api.DELETE('/webhooks/{id}', { params: { path: { id } } }))}
        onDone={() => {
          notifyDone('Webhook deleted. It gets no more events.');
          void refresh('webhooks');
          void navigate({ to: '/dashboard/webhooks' });
        }}
      >
        <Text size="sm">{new URL(url).host} gets no more events, and deliveries that wait are dropped.</Text>
      </ConfirmModal>
    </>
  );
}
