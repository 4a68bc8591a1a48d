import type { ClusterRun, FaultRow } from './check-cluster.js';

/** Whether the promise and all limits held. */
export function isClean({ stale, undone, budgetsExceeded, usageLost, rejectedLive }: ClusterRun): boolean {
  return stale + undone + budgetsExceeded + usageLost + rejectedLive === 0;
}

/** Formats the section of `bench/revocation.md` about a cluster. */
export function formatClusterReport(run: ClusterRun): string {
  const sum = (count: (row: FaultRow) => number) => run.rows.reduce((total, row) => total + count(row), 0);
  const total: FaultRow = {
    title: '**All**',
    times: sum(({ times }) => times),
    failovers: sum(({ failovers }) => failovers),
    requests: run.requests,
    stale: run.stale,
    accepted: sum(({ accepted }) => accepted),
    unavailableSeconds: run.rows.flatMap(({ unavailableSeconds }) => unavailableSeconds),
  };
  const facts: [what: string, count: number][] = [
    ['Keys deleted', run.deletions],
    ['Keys rotated without grace period', run.rotations],
    ['Keys disabled', run.disabled],
    ['Keys expired', run.expired],
    ['**Accepted after the revocation was confirmed**', run.stale],
    ['**Revocations undone at the end**', run.undone],
    ['**Rejected although never revoked**', run.rejectedLive],
    ['Keys with limits that were used up', run.budgets],
    ['**Limits exceeded**', run.budgetsExceeded],
    ['Embeddings that clients received', run.embeddings],
    ['**… missing in the usage**', run.usageLost],
  ];
  const number = (value: number) => value.toLocaleString('en-US');
  return [
    '## A real cluster',
    '',
    'Written by `npm run check:revocation -- --patroni`. Three PostgreSQL servers, managed by Patroni with etcd, with',
    '`synchronous_mode_strict`, behind HAProxy; three replicas with `PRIMARY_LEASE_SECONDS=5`. Faults are injected one after',
    "the other, while keys are used and revoked. Seconds are those in which at least one replica wasn't ready, including",
    'the fault itself. "Reported" counts how often the cluster lost confirmed changes, and Keycard refused the database until',
    'the operator accepted it; the changes until then are no longer checked.',
    '',
    `- Date: ${new Date().toISOString().slice(0, 10)}`,
    `- Duration: ${Math.round(run.minutes)} minutes`,
    '',
    '| Fault | Times | Failovers | Requests | Stale | Reported | Seconds, median | Seconds, most |',
    '| ----- | ----: | --------: | -------: | ----: | -------: | --------------: | ------------: |',
    ...[...run.rows, total].map(
      ({ title, times, failovers, requests, stale, accepted, unavailableSeconds }) =>
        `| ${title.charAt(0).toUpperCase()}${title.slice(1)} | ${number(times)} | ${number(failovers)} | ` +
        `${number(requests)} | ${number(stale)} | ${number(accepted)} | ${median(unavailableSeconds).toFixed(1)} | ` +
        `${Math.max(0, ...unavailableSeconds).toFixed(1)} |`,
    ),
    '',
    '| What | Count |',
    '| ---- | ----: |',
    ...facts.map(([what, count]) => `| ${what} | ${number(count)} |`),
    '',
  ].join('\n');
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
