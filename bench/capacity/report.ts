import { quantity } from '../row.js';
import { type Capacity, capacityOf, processorsHere, sustainableShare } from './capacity.js';
import type { Costs } from './measure-costs.js';
import type { CapacityResults } from './measure.js';
import { streamKind } from './request-kinds.js';
import type { MeasuredStandby } from './standby.js';

/** How far a prediction may be from what was measured. */
const tolerance = 0.2;
const cores = [4, 16, 64];
const extrapolated = ['plain', streamKind, 'authorize', 'limited key', 'limited organization'];

/** Formats `bench/capacity.md`. Leaves out what is extrapolated if the simulation didn't predict what was measured. */
export function formatCapacityReport(results: CapacityResults, standbys: readonly MeasuredStandby[]): string {
  const isPredicted = results.clusters.every(({ ratio }) =>
    Object.values(ratio).every((one) => Math.abs(one - 1) <= tolerance),
  );
  return [
    '# What one database carries',
    '',
    'Written by `npm run bench -- capacity`. [Scaling](../docs/scaling.md#what-one-database-carries) explains the figures.',
    '',
    `- Date: ${new Date().toISOString().slice(0, 10)}`,
    `- Node ${process.version}`,
    `- ${processorsHere()}, shared by load generators, upstream, Keycard and PostgreSQL`,
    '',
    '## What a request costs',
    '',
    'Medians of five rounds with 64 connections, and in parentheses with one, where requests share no statements.',
    '',
    costsTable(results),
    '',
    '- **lookup** is `GET /v1/models`, **authorize** is `GET /v1/authorize`, **stream** is `POST /v1/chat/completions` with an event',
    '  every 10 ms; the others are `POST /v1/embeddings` to an upstream. Limits are 1,000 keys with one limit each, or one limit of',
    '  their organization.',
    '- A **stream** takes a quarter of a second. With one connection, its costs are mostly those of what Keycard and PostgreSQL do',
    '  each second without requests.',
    '- **Statements** are round trips: those that look up keys and those that record usage.',
    '',
    '## The same row on four replicas',
    '',
    'Replicas whose requests change the same row wait for each other. The more they wait, the more requests share their next',
    'statement.',
    '',
    contentionTable(results),
    '',
    '## With a synchronous standby',
    '',
    'Usage and verification do not wait for it; changes do, such as deletions.',
    '',
    standbyTable(standbys),
    '',
    '## Predicted and measured',
    '',
    'The simulation (`bench/simulation`) knows only what single requests and statements of one replica cost, measured in the same',
    'rounds. Ratios are medians of the ratios in each round, because the speed of a shared machine changes between them.',
    '',
    predictionTable(results),
    '',
    `${isPredicted ? 'All' : 'Not all'} are predicted within ${tolerance * 100} %${isPredicted ? '.' : ', so nothing is extrapolated.'}`,
    '',
    ...(isPredicted ? extrapolation(results) : []),
  ].join('\n');
}

function costsTable({ kinds }: CapacityResults): string {
  const cell = (one: Costs, many: Costs, read: (costs: Costs) => string) => `${read(many)} (${read(one)})`;
  return table(
    ['Request', 'Keycard', 'PostgreSQL', 'WAL', 'Statements', 'Lock waits'],
    kinds.map(({ name, one, many }) => [
      name,
      cell(one, many, ({ keycard }) => quantity(keycard, 'µs')),
      cell(one, many, ({ postgres }) => quantity(postgres, 'µs')),
      cell(one, many, ({ walBytes }) => `${Math.round(walBytes)} B`),
      cell(one, many, ({ lookups, writes }) => (lookups + writes).toFixed(2)),
      cell(one, many, ({ lockWait }) => quantity(lockWait, 'µs')),
    ]),
  );
}

function contentionTable({ contention }: CapacityResults): string {
  return table(
    ['Request', 'Throughput', 'Lock waits of a request'],
    contention.map(({ name, requestsPerSecond, lockWait }) => [
      name,
      quantity(requestsPerSecond, 'requests/s'),
      quantity(lockWait, 'µs'),
    ]),
  );
}

function standbyTable(standbys: readonly MeasuredStandby[]): string {
  return table(
    ['Round trip', 'Requests', '`DELETE /api-keys/{id}`'],
    standbys.map(({ milliseconds, requestsPerSecond, deletionMilliseconds }) => [
      milliseconds === undefined ? 'no standby' : quantity(milliseconds, 'ms'),
      quantity(requestsPerSecond, 'requests/s'),
      quantity(deletionMilliseconds, 'ms'),
    ]),
  );
}

function predictionTable({ clusters }: CapacityResults): string {
  return table(
    ['Replicas', 'Throughput', 'Predicted', 'Ratio', 'p99', 'Predicted', 'Ratio'],
    clusters.map(({ replicas, measured, predicted, ratio }) => [
      String(replicas),
      quantity(measured.requestsPerSecond, 'requests/s'),
      quantity(predicted.requestsPerSecond, 'requests/s'),
      ratio.requestsPerSecond.toFixed(2),
      quantity(measured.p99Milliseconds, 'ms'),
      quantity(predicted.p99Milliseconds, 'ms'),
      ratio.p99Milliseconds.toFixed(2),
    ]),
  );
}

function extrapolation({ kinds }: CapacityResults): string[] {
  const rows = kinds
    .filter(({ name }) => extrapolated.includes(name))
    .flatMap(({ name, many }) => cores.map((count) => capacityRow(name, capacityOf(many, count))));
  return [
    '## Extrapolated',
    '',
    `For a primary of its own that uses ${sustainableShare * 100} % of its processors, and replicas that use as much of one each.`,
    '',
    table(['Request', 'Cores', 'Throughput', 'Replicas', 'Connections', 'WAL per day', 'Ends first'], rows),
    '',
  ];
}

function capacityRow(name: string, capacity: Capacity): string[] {
  const { cores: count, requestsPerSecond, replicas, connections, walGigabytesPerDay, endsFirst } = capacity;
  return [
    name,
    String(count),
    quantity(Number(requestsPerSecond.toPrecision(2)), 'requests/s'),
    String(replicas),
    String(connections),
    `${Math.round(walGigabytesPerDay)} GB`,
    endsFirst,
  ];
}

function table(headings: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n');
}
