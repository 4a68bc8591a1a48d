import { formatCpu } from '../cpu-meter.js';
import { median, medianRatio } from '../rounds.js';
import { quantity } from '../row.js';
import type { Table } from '../table.js';
import type { Throughput } from '../throughput.js';

export type Contender = 'keycard' | 'previous' | 'bare' | 'nginx' | 'haproxy' | 'portkey' | 'direct';

const ownWork = 'authenticates, meters, logs';
const contenders: Record<Contender, { name: string; does: string }> = {
  keycard: { name: 'Keycard', does: ownWork },
  previous: { name: 'Keycard, previous release', does: ownWork },
  bare: { name: 'Bare proxy (Fastify, undici)', does: 'forwards' },
  nginx: { name: 'nginx', does: 'forwards' },
  haproxy: { name: 'HAProxy', does: 'forwards' },
  portkey: { name: "Portkey's gateway", does: 'chooses a provider, forwards' },
  direct: { name: 'Upstream directly', does: 'responds' },
};
const headings = ['', 'What it does', 'Throughput', 'Ratio to Keycard', 'CPU time per request', 'Ratio to Keycard'];

/** One row for each contender that was measured. */
export function forwardingTable({ figures, cpu }: Throughput<Contender>, connections: number): Table {
  const totals = (name: Contender) =>
    (cpu.roundsOf('own')[name] ?? []).map(
      (own, round) => own + (usesDatabase(name) ? (cpu.roundsOf('database')[name]?.[round] ?? NaN) : 0),
    );
  const cpuCells = (name: Contender) => {
    const one = cpu.perRequest(name);
    if (one === undefined) return ['', ''];
    const ratio = medianRatio(totals(name), totals('keycard')).toFixed(2);
    return [usesDatabase(name) ? formatCpu(one) : quantity(one.own, 'µs'), ratio];
  };
  const measured = (Object.keys(contenders) as Contender[]).filter((name) => figures[name] !== undefined);
  return {
    caption: `With ${connections} ${connections === 1 ? 'connection' : 'connections'}:`,
    headings,
    lines: measured.map((name) => [
      contenders[name].name,
      contenders[name].does,
      quantity(median(figures[name]), 'requests/s'),
      medianRatio(figures[name], figures.keycard).toFixed(2),
      ...cpuCells(name),
    ]),
    notes: [],
  };
}

/** What the tables compare. */
export const forwardingNotes = [
  "`POST /v1/embeddings`, as OpenAI's SDKs send it, to a mock upstream that returns one vector in base64. Each connection sends its next request after a response. Keycard runs as `npm start` runs it, looks up the key of each request, logs it, and records its usage in PostgreSQL before the response ends. Fastify only streams both bodies through undici. nginx and HAProxy use keep-alive, with one process or thread per processor. Portkey's gateway gets two more headers, which name the upstream.",
  'CPU time is that of all processes of a contender, and of PostgreSQL for Keycard, in the same rounds, divided by the requests; its ratios include PostgreSQL.',
];

const usesDatabase = (name: Contender) => name === 'keycard' || name === 'previous';
