import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';
import { runTasks } from '../processes/run-tasks.js';
import type { Listening } from './keycard.js';

export interface BalancerSettings {
  /** URLs of the instances that take turns. */
  urls: string[];
}

/** Starts a TCP load balancer, which passes each new connection on to the next instance. */
async function start({ urls }: BalancerSettings): Promise<Listening> {
  const instances = urls.map((url) => new URL(url));
  let turn = 0;
  const server = createServer((client) => {
    const instance = instances[turn++ % instances.length];
    const service = connect({ host: instance?.hostname ?? '', port: Number(instance?.port), noDelay: true });
    client.setNoDelay();
    // Either side may end first.
    pipeline(client, service, client, () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

runTasks(start);
