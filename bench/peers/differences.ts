import { haproxyVersion } from '../processes/haproxy.js';
import { nginxVersion } from '../processes/nginx.js';
import { peersFolder, peerVersions } from './install.js';

/** As configured here, and what the projects offer otherwise. */
export const differences = `
## What each of them does

As configured here:

|                   | Authentication            | Metering                    | Immediate revocation           |
| ----------------- | ------------------------- | --------------------------- | ------------------------------ |
| Keycard           | a lookup for each request | tokens of each request      | yes, on all replicas           |
| Bare proxy        | no                        | no                          | no keys of its own             |
| nginx             | no                        | no                          | no keys of its own             |
| HAProxy           | no                        | no                          | no keys of its own             |
| Portkey's gateway | no, passes keys on        | no                          | no keys of its own             |
| better-auth       | a lookup for each request | time of last use, no tokens | yes, with keys in the database |

- **nginx** and **HAProxy** forward requests. With [\`/v1/authorize\`](../docs/authorize.md), Keycard authenticates them;
  \`npm run bench -- authorize\` measures nginx with it.
- **Portkey's gateway**: the open-source gateway has no API keys and records nothing; both are part of the hosted product.
- **better-auth** is a library: it verifies keys, and the application does the rest.
`.trim();

/** Versions of the other projects, as a list. */
export async function peerLines(): Promise<string[]> {
  const isInstalled = (await peersFolder()) !== undefined;
  const packages = Object.entries(peerVersions).map(([name, version]) => [name, isInstalled ? version : undefined]);
  const programs = [
    ['nginx', nginxVersion()],
    ['HAProxy', haproxyVersion()],
  ];
  return [...packages, ...programs].map(([name, version]) => `- ${name} ${version ?? 'not installed'}`);
}
