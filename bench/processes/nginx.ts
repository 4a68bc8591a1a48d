import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface Nginx {
  url: string;
  stop: () => Promise<void>;
}

/**
 * Starts nginx as a reverse proxy with keep-alive; returns undefined if it isn't installed.
 *
 * @param keycardUrl where each request is authorized, by default nowhere
 */
export async function startNginx(upstreamUrl: string, keycardUrl?: string): Promise<Nginx | undefined> {
  if (spawnSync('nginx', ['-v'], { stdio: 'ignore' }).error !== undefined) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), 'keycard-bench-nginx-'));
  const port = await findFreePort();
  writeFileSync(path.join(folder, 'nginx.conf'), configuration(folder, port, upstreamUrl, keycardUrl));
  const nginx = spawn('nginx', ['-p', folder, '-c', path.join(folder, 'nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(nginx, url);
  const stop = async () => {
    const exited = once(nginx, 'exit');
    nginx.kill('SIGTERM');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, stop };
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

async function findFreePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function waitUntilReady(nginx: ChildProcess, url: string): Promise<void> {
  for (let attempt = 0; nginx.exitCode === null && attempt < 100; attempt += 1) {
    try {
      await (await fetch(url, { method: 'POST', body: '{}' })).arrayBuffer();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  throw new Error('nginx did not start.');
}
