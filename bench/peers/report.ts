import { cpus, loadavg } from 'node:os';
import { haproxyVersion } from '../processes/haproxy.js';
import { nginxVersion } from '../processes/nginx.js';
import { formatTable } from '../report.js';
import type { Row } from '../row.js';
import { peerVersions } from './install.js';

/** As configured here, and what the project offers otherwise. */
const differences = `
|                   | Authentication            | Metering                    | Immediate revocation           |
| ----------------- | ------------------------- | --------------------------- | ------------------------------ |
| Keycard           | a lookup for each request | tokens of each request      | yes, on all replicas           |
| Portkey's gateway | no, passes keys on        | no                          | no keys of its own             |
| nginx             | no                        | no                          | no keys of its own             |
| HAProxy           | no                        | no                          | no keys of its own             |
| better-auth       | a lookup for each request | time of last use, no tokens | yes, with keys in the database |
`.trim();

/** Formats `bench/peers.md`. */
export function formatPeersReport(rows: readonly Row[]): string {
  const processors = cpus();
  return [
    '# Comparison with other projects',
    '',
    'Written by `npm run bench -- peers`, which installs the npm packages into a temporary folder; nginx and HAProxy are',
    'included if they are installed. All do the same work in the same run: figures are medians over interleaved rounds, and',
    'ratios are medians of the ratios in each round. Load generator, proxies, upstream and database share the processors.',
    '',
    `- Date: ${new Date().toISOString().slice(0, 10)}`,
    `- Node ${process.version}`,
    `- ${processors.length} × ${processors[0]?.model.trim()}`,
    `- Load average over the last 15 minutes, benchmark included: ${loadavg()[2]?.toFixed(1)}`,
    ...Object.entries(peerVersions).map(([name, version]) => `- ${name} ${version}`),
    `- nginx ${nginxVersion() ?? 'not installed'}`,
    `- HAProxy ${haproxyVersion() ?? 'not installed'}`,
    '',
    formatTable(rows),
    '',
    ...rows.map(({ explanation }, index) => `${index + 1}. ${explanation}`),
    '',
    '## What each of them does',
    '',
    'As configured here:',
    '',
    differences,
    '',
    "- **Portkey's gateway**: the open-source gateway has no API keys and records nothing; both are part of the hosted product.",
    '- **nginx** and **HAProxy** forward requests. With [`/v1/authorize`](../docs/authorize.md), Keycard authenticates them;',
    '  `npm run bench -- authorize` measures nginx with it.',
    '- **better-auth** is a library: it verifies keys, and the application does the rest.',
    '',
  ].join('\n');
}
