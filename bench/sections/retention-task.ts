import { Logger } from '@nestjs/common';
import type pg from 'pg';
import { DatabaseHistory } from '../../src/database/history/database-history.service.js';
import { MetricsService } from '../../src/metrics/metrics.service.js';
import { RetentionService } from '../../src/retention/retention.service.js';
import type { BenchDatabase } from '../data/bench-database.js';
import { insertKnownKeys } from '../data/keys.js';
import { insertPastHour } from '../data/year-of-usage.js';
import type { Probe, ProbeResult } from '../processes/latency-probe.js';
import type { Child } from '../processes/child.js';
import { median, medianRatio } from '../rounds.js';
import { quantity, ratioRow, type Row } from '../row.js';

const rounds = 7;
const warmUpSeconds = 2;
const roundSeconds = 3;
const connections = 16;
const usageRetentionDays = 364;

/**
 * Measures requests while the retention task works, although it has nothing to do most of the time.
 *
 * @param url of the service
 */
export async function measureRetentionTask(
  { client, connection }: BenchDatabase,
  probe: Child,
  url: string,
): Promise<Row[]> {
  const [key = ''] = await insertKnownKeys(client);
  const send = (seconds: number) =>
    probe.run<ProbeResult>({
      ...{ url, method: 'GET', path: '/v1/models', headers: { authorization: `Bearer ${key}` } },
      ...{ connections, requestsPerSecond: 0, seconds },
    } satisfies Probe);
  await send(warmUpSeconds);
  Logger.overrideLogger(false);
  const figures: Record<'alone' | 'beside', ProbeResult[]> = { alone: [], beside: [] };
  for (let round = 0; round < rounds; round += 1) {
    figures.alone.push(await send(roundSeconds));
    figures.beside.push(await whileRetaining(client, connection, () => send(roundSeconds)));
  }
  const explanation =
    'The service while the retention task packs the usage of an hour by 10,000 keys, against the service alone; 16 connections. The task takes less than a minute per hour.';
  const perSecond = ({ count }: ProbeResult) => count / roundSeconds;
  const p99 = ({ p99Milliseconds }: ProbeResult) => p99Milliseconds;
  const row = (
    what: string,
    of: (result: ProbeResult) => number,
    unit: 'requests/s' | 'ms',
    target?: { min: number },
  ) => {
    const [alone, beside] = [figures.alone.map(of), figures.beside.map(of)];
    const against = `without: ${quantity(median(alone), unit)}`;
    const comparison = { what, measured: quantity(median(beside), unit), against, explanation };
    return ratioRow(comparison, medianRatio(beside, alone), target);
  };
  return [
    row('GET /v1/models during the retention task', perSecond, 'requests/s'),
    row('GET /v1/models during the retention task, 99th percentile', p99, 'ms'),
  ];
}

/** Runs a measurement while the task works. */
async function whileRetaining<Result>(
  client: pg.Client,
  database: BenchDatabase['connection'],
  measure: () => Promise<Result>,
): Promise<Result> {
  await insertPastHour(client);
  const task = new RetentionService(
    { database, usageRetentionDays, auditRetentionDays: undefined },
    new MetricsService(),
    new DatabaseHistory({ database }),
  );
  let hasEnded = false;
  const run = task.run().then(() => (hasEnded = true));
  const result = await measure();
  if (hasEnded) throw new Error('The retention task ended before the measurement.');
  await task.beforeApplicationShutdown();
  await run;
  return result;
}
