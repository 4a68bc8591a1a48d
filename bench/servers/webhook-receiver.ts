import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { runTasks } from '../processes/run-tasks.js';
import type { Listening } from './keycard.js';

/**
 * `listen` returns the URL. `collect` waits until so many events have arrived and requests hang, and returns the
 * milliseconds between each event and its arrival. `hang-up` closes the requests that hang.
 */
export type ReceiverTask =
  { kind: 'listen' } | { kind: 'collect'; events: number; hanging: number } | { kind: 'hang-up' };

const checkMilliseconds = 5;
const delays: number[] = [];
const hanging = new Set<ServerResponse>();

/** Receives webhooks. Those whose path starts with `/hanging` get no response. */
const server = createServer((request, response) => {
  if (request.url?.startsWith('/hanging') === true) {
    hanging.add(response);
    response.once('close', () => hanging.delete(response));
    request.resume();
    return;
  }
  const arrivedAt = Date.now();
  void text(request).then((body) => {
    const { timestamp } = JSON.parse(body) as { timestamp: string };
    delays.push(arrivedAt - Date.parse(timestamp));
    response.writeHead(204).end();
  });
});

async function run(task: ReceiverTask): Promise<Listening | number[]> {
  if (task.kind === 'listen') {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }
  if (task.kind === 'collect') {
    while (delays.length < task.events || hanging.size < task.hanging) await delay(checkMilliseconds);
    return delays.splice(0);
  }
  for (const response of hanging) response.destroy();
  return [];
}

runTasks(run);
