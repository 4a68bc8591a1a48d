import { median, medianRatio } from '../rounds.js';
import { quantity, ratioRow, type Row } from '../row.js';
import { type CpuPerRequest, formatCpu } from '../cpu-meter.js';
import type { Throughput } from '../throughput.js';

export type Gateway = 'keycard' | 'portkey' | 'nginx' | 'haproxy';
/** Keycard with and without recording usage, and better-auth. */
export type Verifier = 'metered' | 'lookup' | 'betterAuth';

const gatewayNames = { portkey: "Portkey's gateway", nginx: 'nginx', haproxy: 'HAProxy' } as const;
const explanations = {
  portkey:
    "Requests of OpenAI's SDKs to a mock upstream that returns one vector in base64. Keycard authenticates each request, logs it, and records its usage in PostgreSQL before the response ends. Portkey's gateway gets two more headers, which name the upstream, and neither authenticates nor records.",
  nginx: 'The same against nginx as a plain reverse proxy with keep-alive and one process per processor.',
  haproxy: 'The same against HAProxy as a plain reverse proxy with keep-alive and one thread per processor.',
};

export function gatewayRows({ figures, cpu }: Throughput<Gateway>, connections: number): Row[] {
  const others = (['portkey', 'nginx', 'haproxy'] as const).filter((name) => figures[name] !== undefined);
  const throughput = others.map((name) =>
    ratioRow(
      {
        what: `POST /v1/embeddings forwarded to an upstream, ${connections} connections`,
        measured: quantity(median(figures.keycard), 'requests/s'),
        against: `${gatewayNames[name]}: ${quantity(median(figures[name]), 'requests/s')}`,
        explanation: explanations[name],
      },
      medianRatio(figures.keycard, figures[name]),
      name === 'portkey' ? { min: 8 } : undefined,
    ),
  );
  const keycard = cpu.perRequest('keycard');
  const cpuTimes = others.flatMap((name) => {
    const other = cpu.perRequest(name);
    if (keycard === undefined || other === undefined) return [];
    const explanation =
      'Processor time of all processes of the proxy in the same rounds, divided by its requests. That of Keycard includes PostgreSQL.';
    const what = `CPU time of a forwarded request, ${connections} connections`;
    const against = `${gatewayNames[name]}: ${quantity(other.own, 'µs')}`;
    return ratioRow(
      { what, measured: formatCpu(keycard), against, explanation },
      totalOf(keycard) / other.own,
      undefined,
    );
  });
  return [...throughput, ...cpuTimes];
}

export function verifierRows({ figures, cpu }: Throughput<Verifier>, callers: number): Row[] {
  const suffix = `${callers} ${callers === 1 ? 'caller' : 'callers'}`;
  const against = `better-auth: ${quantity(median(figures.betterAuth), 'verifications/s')}`;
  const row = (name: 'metered' | 'lookup', what: string, explanation: string, target?: { min: number }) =>
    ratioRow(
      {
        what: `${what}, ${suffix}`,
        measured: quantity(median(figures[name]), 'verifications/s'),
        against,
        explanation,
      },
      medianRatio(figures[name], figures.betterAuth),
      target,
    );
  const [metered, betterAuth] = [cpu.perRequest('metered'), cpu.perRequest('betterAuth')];
  const rows = [
    row(
      'metered',
      'Verify a key and record the request, in process',
      "1,000 different keys in the same PostgreSQL server. Keycard looks up each key and records its usage; `auth.api.verifyApiKey` of better-auth looks up each key and writes the time of its last use. Rate limits of better-auth are off, because its default of ten requests a day rejects the rest. Keycard's usage doesn't wait for the disk.",
      callers === 1 ? undefined : { min: 50 },
    ),
    row('lookup', 'Verify a key only, in process', 'The same without recording usage in Keycard.'),
  ];
  if (metered === undefined || betterAuth === undefined) return rows;
  const cpuTime = {
    what: `CPU time of a verification, ${suffix}`,
    measured: formatCpu(metered),
    against: `better-auth: ${formatCpu(betterAuth)}`,
    explanation:
      'Processor time of the process and of PostgreSQL in the first of these rows, divided by its verifications.',
  };
  return [...rows, ratioRow(cpuTime, totalOf(metered) / totalOf(betterAuth), undefined)];
}

const totalOf = ({ own, database }: CpuPerRequest) => own + database;
