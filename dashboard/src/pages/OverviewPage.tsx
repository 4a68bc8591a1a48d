import { Box, Skeleton } from '@mantine/core';
import { isBudget } from '@rules/limit-rules.js';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import type { Overview } from '../api/schema.js';
import { restOfOverview } from '../common/limits/monthly-forecast.js';
import { AttentionList } from '../features/overview/AttentionList.js';
import { FirstSteps } from '../features/overview/FirstSteps.js';
import { overviewQuery } from '../features/overview/overview.js';
import { UsageFigures } from '../features/overview/UsageFigures.js';
import { lazyComponent } from '../lib/lazy-component.js';
import { useMe } from '../session/me.js';
import { ErrorAlert } from '../ui/ErrorAlert.js';
import { PageHeader } from '../ui/PageHeader.js';
import { nameEvents } from '../features/audit-log/events/named-event.js';
import { LatestChanges } from './LatestChanges.js';
import classes from './OverviewPage.module.css';

// Lazy, because many organizations have none.
const Budgets = lazyComponent(() => import('../features/overview/Budgets.js'), 'Budgets');

/** What happened, what it costs and what to do now. */
export function OverviewPage() {
  const { organization } = useMe();
  const { data, error, refetch } = useQuery(overviewQuery);
  return (
    <>
      <PageHeader title="Overview" description={organization.name} />
      {error !== null && (
        <Box mb="md">
          <ErrorAlert error={error} onRetry={() => void refetch()} />
        </Box>
      )}
      {data === undefined ? error === null && <Loading /> : <Parts overview={data} />}
    </>
  );
}

function Parts({ overview }: { overview: Overview }) {
  const { organization } = useMe();
  const { today, month, timeZone, limits, currency, attention, changes, people = [], firstSteps } = overview;
  const budgets = limits.filter(isBudget);
  return (
    <div className={classes.column}>
      {firstSteps !== undefined && <FirstSteps organizationId={organization.id} firstSteps={firstSteps} />}
      {today !== undefined && month !== undefined && <UsageFigures overview={{ ...overview, today, month }} />}
      <div className={classes.columns}>
        <div className={classes.column}>
          <AttentionList attention={attention} limits={limits} timeZone={timeZone} currency={currency} />
        </div>
        <div className={classes.column}>
          {budgets.length > 0 && (
            <Suspense fallback={<Skeleton h={160} />}>
              <Budgets {...{ budgets, currency, timeZone }} expectedRest={restOfOverview(overview)} />
            </Suspense>
          )}
          {changes !== undefined && <LatestChanges changes={nameEvents(changes, people)} currency={currency} />}
        </div>
      </div>
    </div>
  );
}

function Loading() {
  return (
    <div className={classes.column} role="status" aria-label="Loading">
      <Skeleton h={300} />
      <Skeleton h={220} />
    </div>
  );
}
