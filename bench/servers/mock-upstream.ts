import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runTasks } from '../processes/run-tasks.js';
import type { Listening } from './keycard.js';

const vector = Buffer.from(new Float32Array(512).fill(0.044_194_17).buffer).toString('base64');

/** Response of an OpenAI-compatible server to one text. */
const body = Buffer.from(
  JSON.stringify({
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: vector }],
    model: 'mock',
    usage: { prompt_tokens: 20, total_tokens: 20 },
  }),
);

/** Response to a chat. */
const chat = Buffer.from(
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'mock',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Some words.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 20, completion_tokens: 3, total_tokens: 23 },
  }),
);

/** Starts an upstream with almost no cost: it reads each request to its end and always sends the same response. */
async function start(): Promise<Listening> {
  const server = createServer({ keepAlive: true }, (request, response) => {
    const sent = request.url?.endsWith('/chat/completions') === true ? chat : body;
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': sent.length });
      response.end(sent);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

runTasks(start);
