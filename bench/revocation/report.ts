import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Counts } from './traffic.js';

export interface RevocationRun extends Counts {
  readonly minutes: number;
  /** Those that were accepted or rejected. */
  readonly requests: number;
  readonly deletions: number;
  readonly rotations: number;
  /** Replicas killed. */
  readonly killed: number;
  /** Restarts of PostgreSQL. */
  readonly restarts: number;
}

/** Formats `bench/revocation.md`. */
export function formatRevocationReport(run: RevocationRun): string {
  const rows: [what: string, count: number][] = [
    ['Requests that were accepted or rejected', run.requests],
    ['… accepted', run.accepted],
    ['… rejected', run.rejected],
    ['Requests without a decision: 503 or no response', run.unserved],
    ['Keys deleted', run.deletions],
    ['Keys rotated without grace period', run.rotations],
    ['Replicas killed and replaced', run.killed],
    ['Restarts of PostgreSQL, half of them crashes', run.restarts],
    ['**Accepted after the revocation was confirmed**', run.acceptedRevoked],
    ['**Rejected although never revoked**', run.rejectedLive],
  ];
  const format = ([what, count]: [string, number | string]) =>
    `| ${what.padEnd(47)} | ${(typeof count === 'string' ? count : count.toLocaleString('en-US')).padStart(9)} |`;
  return [
    '## One server',
    '',
    'Written by `npm run check:revocation`. Three replicas share one PostgreSQL. Administrators delete and rotate keys',
    'through any of them, and each revoked secret is then used on all replicas, again and again. Replicas are killed,',
    'and PostgreSQL is restarted. A request counts as accepted after the revocation if it was sent after the response to',
    'the deletion or rotation had arrived.',
    '',
    `- Date: ${new Date().toISOString().slice(0, 10)}`,
    `- Duration: ${run.minutes} minutes`,
    '',
    format(['What', 'Count']),
    `| ${'-'.repeat(47)} | ${'-'.repeat(8)}: |`,
    ...rows.map(format),
    '',
  ].join('\n');
}

const heading = '# Revocation check';

/** Replaces one section of the results, and leaves the others. */
export function writeSection(file: URL, section: string): void {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const title = section.slice(0, section.indexOf('\n'));
  const others = text.split(/^(?=## )/m).filter((part) => part.startsWith('## ') && !part.startsWith(`${title}\n`));
  const sections = [...others, section]
    .map((part) => part.trim())
    .sort()
    .reverse();
  writeFileSync(file, `${[heading, ...sections].join('\n\n')}\n`);
}
