import type { IncomingMessage } from 'node:http';
import fastify from 'fastify';
import { Pool } from 'undici';
import { runTasks } from '../processes/run-tasks.js';
import type { Listening } from './keycard.js';

interface ProxySettings {
  upstreamUrl: string;
}

/** Starts a minimal proxy with Fastify and undici, which streams both bodies without authentication. */
async function start({ upstreamUrl }: ProxySettings): Promise<Listening> {
  const upstream = new Pool(upstreamUrl);
  const server = fastify();
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, body, done) => done(null, body));
  server.post('/v1/embeddings', async (request, reply) => {
    const { statusCode, headers, body } = await upstream.request({
      method: 'POST',
      path: '/v1/embeddings',
      headers: { 'content-type': 'application/json', 'content-length': request.headers['content-length'] ?? '' },
      body: request.body as IncomingMessage,
    });
    return reply
      .code(statusCode)
      .headers({
        'content-type': String(headers['content-type']),
        'content-length': String(headers['content-length']),
      })
      .send(body);
  });
  return { url: await server.listen({ port: 0, host: '127.0.0.1' }) };
}

runTasks(start);
