import { Anchor, Button, Code, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { IconArrowLeft, IconKeyOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import type { ApiKeyDetails } from '../../../api/schema.js';
import { ServiceError } from '../../../api/service-error.js';
import { useDialog } from '../../../hooks/use-dialog.js';
import { useNow } from '../../../hooks/use-now.js';
import { queryClient } from '../../../query-client.js';
import { usePermission } from '../../../session/me.js';
import { EmptyState } from '../../../ui/EmptyState.js';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';
import { PageHeader } from '../../../ui/PageHeader.js';
import { RequirePermission } from '../../../ui/RequirePermission.js';
import { TargetHistory } from '../../audit-log/TargetHistory.js';
import { LimitBars } from '../../limits/LimitBars.js';
import { refetchMilliseconds } from '../../limits/limits.js';
import { ApiKeyUsage } from '../../usage/ApiKeyUsage.js';
import { FailedRequests } from '../../usage/failures/FailedRequests.js';
import { failedRequestsQuery } from '../../usage/failures/failures.js';
import { apiKeyUsageQuery } from '../../usage/usage.js';
import { apiKeyQuery } from '../api-keys.js';
import { ApiKeyDialogs } from '../dialogs/ApiKeyDialogs.js';
import { FirstRequest } from '../FirstRequest.js';
import { type ApiKeyAction, stateOf } from '../key-actions.js';
import { StateBadge } from '../list/columns.js';
import { CodeSamples } from '../new-key/CodeSamples.js';
import { ApiKeyActions } from './ApiKeyActions.js';
import { ApiKeyProperties } from './ApiKeyProperties.js';
import { PreviousSecret } from './PreviousSecret.js';

const route = getRouteApi('/dashboard/keys/$id');

/** The details, limits, usage and history of a key. */
export function ApiKeyPage() {
  return (
    <RequirePermission permission="get-api-keys">
      <ApiKeyById />
    </RequirePermission>
  );
}

function ApiKeyById() {
  const { id } = route.useParams();
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    ...apiKeyQuery(id),
    // The dialog of a new key may have loaded it a moment ago, before the first requests.
    refetchOnMount: 'always',
    refetchInterval: refetchMilliseconds,
  });
  const isNotFound = error instanceof ServiceError && error.status === 404;
  return (
    <>
      <Anchor size="sm" c="dimmed" renderRoot={(props) => <Link to="/dashboard/keys" {...props} />}>
        <Group component="span" display="inline-flex" gap={4}>
          <IconArrowLeft size={14} aria-hidden />
          API keys
        </Group>
      </Anchor>
      {isNotFound ? <KeyNotFound /> : error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data === undefined
        ? error === null && <Loading />
        : !isNotFound && <Details apiKey={data} updatedAt={dataUpdatedAt} />}
    </>
  );
}

function Details({ apiKey, updatedAt }: { apiKey: ApiKeyDetails; updatedAt: number }) {
  const { id, name, limits, previousSecretHint, previousSecretExpiresAt, previousSecretLastUsedAt = null } = apiKey;
  useUsageRefresh(apiKey, updatedAt);
  const navigate = route.useNavigate();
  const dialog = useDialog<ApiKeyAction>();
  const mayGetHistory = usePermission('get-audit-events');
  return (
    <>
      <PageHeader
        title={name}
        badge={<StateBadge apiKey={apiKey} size="lg" />}
        actions={<ApiKeyActions apiKey={apiKey} onAction={dialog.open} />}
      />
      <Stack gap="lg">
        {previousSecretExpiresAt !== undefined && (
          <PreviousSecret
            apiKeyId={id}
            hint={previousSecretHint}
            expiresAt={previousSecretExpiresAt}
            lastUsedAt={previousSecretLastUsedAt}
            isEnabled={apiKey.enabled !== false}
          />
        )}
        <Paper withBorder p="lg">
          <ApiKeyProperties apiKey={apiKey} />
        </Paper>
        {limits.length > 0 && (
          <Section title="Limits">
            <LimitBars limits={limits} />
          </Section>
        )}
        <ApiKeyUsage apiKeyId={id} />
        <FailedRequests apiKeyId={id} />
        <Section title="Code samples">
          <UseKey apiKey={apiKey} />
        </Section>
        {mayGetHistory && (
          <Section title="History">
            <TargetHistory kind="api-key" id={id} />
          </Section>
        )}
      </Stack>
      <ApiKeyDialogs dialog={dialog} onDeleted={() => navigate({ to: '/dashboard/keys' })} />
    </>
  );
}

/**
 * Refetches the usage and failed requests of a key along with its details.
 *
 * @param updatedAt when the details were fetched
 */
function useUsageRefresh({ id, lastUsedAt }: ApiKeyDetails, updatedAt: number): void {
  const last = useRef({ lastUsedAt, isUsed: true });
  useDidUpdate(() => {
    const isUsed = lastUsedAt !== last.current.lastUsedAt;
    void queryClient.invalidateQueries({ queryKey: failedRequestsQuery(id).queryKey });
    // Usage takes four requests, so it reloads only after the key was used, and one more time, because
    // `lastUsedAt` changes at most once a second and may hide the latest requests.
    if (isUsed || last.current.isUsed) {
      void queryClient.invalidateQueries({ queryKey: apiKeyUsageQuery(id).queryKey });
    }
    last.current = { lastUsedAt, isUsed };
  }, [updatedAt]);
}

/** Code samples with a placeholder for the key, which is only known when it's created. */
function UseKey({ apiKey }: { apiKey: ApiKeyDetails }) {
  const { id, hint, models, lastUsedAt } = apiKey;
  const [wasUnused] = useState(typeof lastUsedAt !== 'string');
  const state = stateOf(apiKey, useNow());
  const isUsable = state !== 'disabled' && state !== 'expired';
  // Rejected requests, which aren't uses, are listed above.
  const { data } = useQuery({ ...failedRequestsQuery(id), enabled: usePermission('get-usage') });
  const isWaiting = wasUnused && isUsable && (data === undefined || data.failures.length === 0);
  const placeholder = `${hint}...`;
  return (
    <Stack gap="sm">
      {isWaiting && <FirstRequest apiKeyId={id} />}
      <Text size="sm" c="dimmed">
        Replace <Code>{placeholder}</Code> with the full key.
      </Text>
      <CodeSamples apiKey={placeholder} allowedModels={models} />
    </Stack>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="lg" component="section" aria-label={title}>
      <Title order={2} size="h4" mb="md">
        {title}
      </Title>
      {children}
    </Paper>
  );
}

function KeyNotFound() {
  return (
    <>
      <PageHeader title="API key" />
      <EmptyState
        icon={<IconKeyOff size={28} />}
        title="Key not found"
        action={
          <Button
            variant="default"
            leftSection={<IconArrowLeft size={16} aria-hidden />}
            renderRoot={(props) => <Link to="/dashboard/keys" {...props} />}
          >
            Back to API keys
          </Button>
        }
      >
        It may have been deleted, or it belongs to another organization.
      </EmptyState>
    </>
  );
}

function Loading() {
  return (
    <>
      <PageHeader title="API key" />
      <Skeleton height={120} />
    </>
  );
}
