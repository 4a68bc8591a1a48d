import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ExternalServer, findFreePort, startExternalServer } from './external-server.js';

/** Returns HAProxy's version, or undefined if it isn't installed. */
export function haproxyVersion(): string | undefined {
  return /version (\S+)/.exec(spawnSync('haproxy', ['-v'], { encoding: 'utf8' }).stdout ?? '')?.[1];
}

/** Starts HAProxy as a reverse proxy with keep-alive; returns undefined if it isn't installed. */
export async function startHaproxy(upstreamUrl: string): Promise<ExternalServer | undefined> {
  if (haproxyVersion() === undefined) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), 'keycard-bench-haproxy-'));
  const port = await findFreePort();
  const file = path.join(folder, 'haproxy.cfg');
  writeFileSync(file, configuration(port, upstreamUrl));
  return startExternalServer({ command: 'haproxy', args: ['-db', '-f', file], port, folder });
}

function configuration(port: number, upstreamUrl: string): string {
  return `
defaults
  mode http
  http-reuse always
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend bench
  bind 127.0.0.1:${port}
  default_backend mock
backend mock
  server mock ${new URL(upstreamUrl).host}
`;
}
