import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { runTasks } from '../processes/run-tasks.js';

export interface RelaySettings {
  /** Path of the Unix socket to listen on. */
  from: string;
  /** Path of the Unix socket to connect to. */
  to: string;
  /** Added to each round trip. */
  milliseconds: number;
}

/** Passes bytes on after a delay, as a network between two places does. */
async function start({ from, to, milliseconds }: RelaySettings): Promise<object> {
  const server = createServer((client) => {
    const service = createConnection(to);
    relay(client, service, milliseconds / 2);
    relay(service, client, milliseconds / 2);
  });
  server.listen(from);
  await once(server, 'listening');
  // PostgreSQL may run as another user.
  await chmod(from, 0o777);
  return {};
}

function relay(source: Socket, target: Socket, milliseconds: number): void {
  source.on('data', (bytes) => setTimeout(() => target.writable && target.write(bytes), milliseconds));
  source.on('close', () => setTimeout(() => target.destroy(), milliseconds));
  source.on('error', () => target.destroy());
}

runTasks(start);
