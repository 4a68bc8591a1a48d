import { Anchor, Group, Paper, Skeleton, Stack, Title } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { refetchMilliseconds } from '../api/refetch-interval.js';
import type { ApiKeyDetails } from '../api/schema.js';
import { ServiceError } from '../api/service-error.js';
import { apiKeyQuery } from '../common/api-keys/api-keys.js';
import { failedRequestsQuery } from '../common/failures/failed-requests.js';
import { BudgetUsageLink } from '../common/limits/BudgetUsageLink.js';
import { explainsForecast } from '../common/limits/forecast-note.js';
import { LimitBars } from '../common/limits/LimitBars.js';
import { expectedRestKey } from '../common/limits/use-expected-rest.js';
import { ApiKeyActions } from '../features/api-keys/details/ApiKeyActions.js';
import { ApiKeyProperties } from '../features/api-keys/details/ApiKeyProperties.js';
import { findHolder } from '../features/api-keys/details/describe-holder.js';
import { FailedRequests } from '../features/api-keys/details/FailedRequests.js';
import { FormerHolderAlert } from '../features/api-keys/details/FormerHolderAlert.js';
import { KeyNotFound } from '../features/api-keys/details/KeyNotFound.js';
import { LeakAlert } from '../features/api-keys/details/LeakAlert.js';
import { PreviousSecret } from '../features/api-keys/details/PreviousSecret.js';
import { UseKey } from '../features/api-keys/details/UseKey.js';
import { ApiKeyDialogs } from '../features/api-keys/dialogs/ApiKeyDialogs.js';
import type { ApiKeyAction } from '../features/api-keys/key-actions.js';
import { KnownBadge } from '../features/api-keys/list/KnownBadge.js';
import { StateBadge } from '../features/api-keys/list/StateBadge.js';
import { LatestRequests } from '../features/api-keys/requests/LatestRequests.js';
import { latestRequestsKey } from '../features/api-keys/requests/latest-requests.js';
import { TargetHistory } from '../features/audit-log/TargetHistory.js';
import { PageUsage } from '../features/usage/PageUsage.js';
import { usageReportKey } from '../features/usage/usage.js';
import { useDialog } from '../hooks/use-dialog.js';
import { queryClient } from '../query-client.js';
import { usePermission } from '../session/me.js';
import { ErrorAlert } from '../ui/ErrorAlert.js';
import { PageHeader } from '../ui/PageHeader.js';
import { RequirePermission } from '../ui/RequirePermission.js';

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
        badge={
          <>
            <StateBadge apiKey={apiKey} size="lg" />
            <KnownBadge apiKey={apiKey} size="lg" />
          </>
        }
        actions={<ApiKeyActions apiKey={apiKey} onAction={dialog.open} />}
      />
      <Stack gap="lg">
        <LeakAlert apiKey={apiKey} />
        <FormerHolderAlert apiKey={apiKey} />
        {previousSecretExpiresAt !== undefined && (
          <PreviousSecret
            apiKeyId={id}
            hint={previousSecretHint}
            expiresAt={previousSecretExpiresAt}
            lastUsedAt={previousSecretLastUsedAt}
            isEnabled={apiKey.enabled !== false}
            holder={findHolder(apiKey, 'previous')}
          />
        )}
        <Paper withBorder p="lg">
          <ApiKeyProperties apiKey={apiKey} />
        </Paper>
        {limits.length > 0 && (
          <Section title="Limits" link={<BudgetUsageLink limits={limits} apiKeyId={id} />}>
            <LimitBars limits={limits} apiKey={apiKey} />
          </Section>
        )}
        <PageUsage
          page="/dashboard/keys/$id"
          filter={{ apiKeyId: [id] }}
          isForecastExplained={explainsForecast(limits)}
        />
        <Requests id={id} />
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

/** Both lists show the request that the URL names, as links from the search do. */
function Requests({ id }: { id: string }) {
  const { requestId } = route.useSearch();
  const navigate = route.useNavigate();
  const search = (wanted: string | undefined) =>
    void navigate({
      search: (current) => ({ ...current, requestId: wanted }),
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <LatestRequests apiKeyId={id} requestId={requestId} onSearch={search} />
      <FailedRequests apiKeyId={id} requestId={requestId} onSearch={search} />
    </>
  );
}

/**
 * Refetches the usage and latest requests of a key along with its details.
 *
 * @param updatedAt when the details were fetched
 */
function useUsageRefresh({ id, lastUsedAt }: ApiKeyDetails, updatedAt: number): void {
  const last = useRef({ lastUsedAt, isUsed: true });
  useDidUpdate(() => {
    const isUsed = lastUsedAt !== last.current.lastUsedAt;
    void queryClient.invalidateQueries({ queryKey: failedRequestsQuery(id).queryKey });
    void queryClient.invalidateQueries({ queryKey: latestRequestsKey(id) });
    // Usage takes three requests, so it reloads only after the key was used, and one more time, because
    // `lastUsedAt` changes at most once a second and may hide the latest requests.
    if (isUsed || last.current.isUsed) {
      void queryClient.invalidateQueries({ queryKey: usageReportKey });
      void queryClient.invalidateQueries({ queryKey: expectedRestKey });
    }
    last.current = { lastUsedAt, isUsed };
  }, [updatedAt]);
}

interface SectionProps {
  title: string;
  /** To more about it. */
  link?: ReactNode;
  children: ReactNode;
}

function Section({ title, link, children }: SectionProps) {
  return (
    <Paper withBorder p="lg" component="section" aria-label={title}>
      <Group justify="space-between" mb="md">
        <Title order={2} size="h4">
          {title}
        </Title>
        {link}
      </Group>
      {children}
    </Paper>
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
