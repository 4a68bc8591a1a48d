import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runTasks } from '../processes/run-tasks.js';
import type { Listening } from './keycard.js';

interface StreamSettings {
  /** Events per stream. */
  events: number;
  millisecondsBetween: number;
}

const usage = '{"prompt_tokens":9,"completion_tokens":100,"total_tokens":109}';

/** An event of OpenAI's size, with the time at which it was sent. */
const event = (choices: string, reported: string) =>
  `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-model-2026","service_tier":"default","choices":${choices},"usage":${reported},"obfuscation":"Qup1BsQ3"}\n\n`;

/** Sends chat completions as a stream, one event after the other. */
async function start({ events, millisecondsBetween }: StreamSettings): Promise<Listening> {
  // One timer for all streams, so that the upstream costs little, and one group of streams in each millisecond: real
  // ones don't send at the same time either.
  const groups = Array.from({ length: millisecondsBetween }, () => new Map<ServerResponse, number>());
  let tick = 0;
  let started = 0;
  const timer = setInterval(() => {
    const open = groups[tick++ % groups.length];
    for (const [response, sent] of open ?? []) {
      const content = `word${process.hrtime.bigint()} `;
      if (sent < events) {
        response.write(event(`[{"index":0,"delta":{"content":"${content}"},"finish_reason":null}]`, 'null'));
        open?.set(response, sent + 1);
      } else {
        open?.delete(response);
        response.write(event('[]', usage));
        response.end('data: [DONE]\n\n');
      }
    }
  }, 1);
  timer.unref();
  const server = createServer({ keepAlive: true }, (request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const group = groups[started++ % groups.length];
      group?.set(response, 0);
      response.once('close', () => group?.delete(response));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

runTasks(start);
