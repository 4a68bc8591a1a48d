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

/** Starts nginx as a plain reverse proxy with keep-alive; returns undefined if it isn't installed. */
export async function startNginx(upstreamUrl: string): Promise<Nginx | undefined> {
  if (spawnSync('nginx', ['-v'], { stdio: 'ignore' }).error !== undefined) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), 'keycard-bench-nginx-'));
  const port = await findFreePort();
  writeFileSync(path.join(folder, 'nginx.conf'), configuration(folder, port, new URL(upstreamUrl).host));
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

function configuration(folder: string, port: number, upstream: string): string {
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
  upstream mock { server ${upstream}; keepalive 128; keepalive_requests 10000000; }
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 10000000;
    location / { proxy_pass http://mock; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }
}
`;
}

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
