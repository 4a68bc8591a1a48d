import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ExternalServer, findFreePort, startExternalServer } from './external-server.js';

/** Returns nginx's version, or undefined if it isn't installed. */
export function nginxVersion(): string | undefined {
  return /nginx\/(\S+)/.exec(spawnSync('nginx', ['-v'], { encoding: 'utf8' }).stderr ?? '')?.[1];
}

/**
 * Starts nginx as a reverse proxy with keep-alive; returns undefined if it isn't installed.
 *
 * @param keycardUrl where each request is authorized, by default nowhere
 */
export async function startNginx(upstreamUrl: string, keycardUrl?: string): Promise<ExternalServer | undefined> {
  if (nginxVersion() === undefined) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), 'keycard-bench-nginx-'));
  const port = await findFreePort();
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, configuration(folder, port, upstreamUrl, keycardUrl));
  const args = ['-p', folder, '-c', file, '-e', 'stderr'];
  return startExternalServer({ command: 'nginx', args, port, folder });
}

function configuration(folder: string, port: number, upstreamUrl: string, keycardUrl: string | undefined): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n  ');
  return `
daemon off;
pid ${folder}/nginx.pid;
worker_processes auto;
events { worker_connections 1024; }
http {
  access_log off;
  ${temporary}
  ${upstreamBlock('mock', upstreamUrl)}
  ${keycardUrl === undefined ? '' : upstreamBlock('keycard', keycardUrl)}
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 10000000;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    location / { ${keycardUrl === undefined ? '' : 'auth_request /_keycard; '}proxy_pass http://mock; }
    ${keycardUrl === undefined ? '' : authorization}
  }
}
`;
}

function upstreamBlock(name: string, url: string): string {
  return `upstream ${name} { server ${new URL(url).host}; keepalive 128; keepalive_requests 10000000; }`;
}

/** As in docs/authorize.md. */
const authorization = `
    location = /_keycard {
      internal;
      proxy_pass http://keycard/v1/authorize;
      proxy_pass_request_headers off;
      proxy_pass_request_body off;
      proxy_set_header Connection "";
      proxy_set_header Content-Length "";
      proxy_set_header Authorization $http_authorization;
    }`;
