import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';

export interface ExternalServer {
  url: string;
  pid: number | undefined;
  stop: () => Promise<void>;
}

interface ExternalServerSettings {
  command: string;
  args: string[];
  port: number;
  /** Where it keeps its files; removed when it stops. */
  folder?: string;
  /** This process's by default. */
  environment?: Record<string, string>;
  /** This process's by default. */
  workingDirectory?: string;
}

const attempts = 500;
const pauseMilliseconds = 20;

/** Starts a server on the given port and waits until it responds. It never outlives this process. */
export async function startExternalServer(settings: ExternalServerSettings): Promise<ExternalServer> {
  const { command, args, port, folder, environment, workingDirectory } = settings;
  const server = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: environment ?? process.env,
    ...(workingDirectory !== undefined && { cwd: workingDirectory }),
  });
  const removeFolder = () => folder !== undefined && rmSync(folder, { recursive: true, force: true });
  const onExit = () => {
    server.kill('SIGTERM');
    removeFolder();
  };
  process.once('exit', onExit);
  const stop = async () => {
    process.removeListener('exit', onExit);
    if (server.kill('SIGTERM')) await once(server, 'exit');
    removeFolder();
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await waitUntilReady(server, url);
  } catch {
    await stop();
    throw new Error(`${command} did not start.`);
  }
  return { url, pid: server.pid, stop };
}

export async function findFreePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function waitUntilReady(server: ChildProcess, url: string): Promise<void> {
  for (let attempt = 0; server.exitCode === null && attempt < attempts; attempt += 1) {
    try {
      await (await fetch(url, { method: 'POST', body: '{}' })).arrayBuffer();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
    }
  }
  throw new Error(`There is no response from ${url}.`);
}
