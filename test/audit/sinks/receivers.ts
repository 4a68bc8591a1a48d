import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { gunzipSync } from 'node:zlib';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import S3rver from 's3rver';
import type { SinkDefinition } from '../../../src/config/sink-definition.js';
import { caCertificate, localhostCertificate, localhostKey } from '../../setup/tls-database.js';

/** A receiver that keeps events until the test ends, even if it is stopped. */
export interface Receiver {
  definition: SinkDefinition;
  start: () => Promise<void>;
  /** Without finishing what it's doing. */
  stop: () => Promise<void>;
  /** The lines that it has acknowledged, in order of arrival. */
  lines: () => Promise<string[]>;
}

export const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** What an HTTP receiver does with a request after it has read the body. */
export type Respond = (request: { body: string; headers: IncomingHttpHeaders }) => number | 'hang';

export interface HttpReceiver extends Receiver {
  requests: { body: string; headers: IncomingHttpHeaders }[];
  respond: Respond;
}

const linesOf = (text: string) => text.split('\n').slice(0, -1);

export function httpReceiver(name = 'https'): HttpReceiver {
  let server: HttpServer | undefined;
  let port = 0;
  const received: string[] = [];
  const receiver: HttpReceiver = {
    definition: { name, type: 'https', url: '', secret: webhookSecret },
    requests: [],
    respond: () => 204,
    start: async () => {
      server = createServer((request, response) => {
        const parts: Buffer[] = [];
        request.on('data', (part: Buffer) => parts.push(part));
        request.on('end', () => {
          const arrived = { body: Buffer.concat(parts).toString(), headers: request.headers };
          receiver.requests.push(arrived);
          const status = receiver.respond(arrived);
          if (status === 'hang') return;
          if (status < 300) received.push(...linesOf(arrived.body));
          response.writeHead(status).end();
        });
      });
      await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve));
      ({ port } = server.address() as AddressInfo);
      receiver.definition = { name, type: 'https', url: `http://127.0.0.1:${port}/audit?x=1`, secret: webhookSecret };
    },
    stop: async () => {
      const closed = new Promise((resolve) => server?.close(resolve));
      server?.closeAllConnections();
      await closed;
    },
    lines: () => Promise.resolve(received),
  };
  return receiver;
}

/** Writes what it reads to a file immediately, as a syslog server with a disk queue does. */
export function syslogReceiver(folder: string): Receiver & { text: () => string } {
  const file = path.join(folder, 'syslog');
  const sockets = new Set<TLSSocket>();
  let port = 0;
  let server: ReturnType<typeof createTlsServer> | undefined;
  const text = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const receiver = {
    definition: { name: 'syslog', type: 'syslog', host: 'localhost', port, ca: caCertificate } as SinkDefinition,
    start: async () => {
      server = createTlsServer({ cert: localhostCertificate, key: localhostKey }, (socket) => {
        sockets.add(socket);
        socket.on('error', () => socket.destroy());
        socket.on('data', (part: Buffer) => appendFileSync(file, part));
        socket.on('close', () => sockets.delete(socket));
      });
      server.on('tlsClientError', () => undefined);
      await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve));
      ({ port } = server.address() as AddressInfo);
      receiver.definition = { name: 'syslog', type: 'syslog', host: 'localhost', port, ca: caCertificate };
    },
    stop: async () => {
      const closed = new Promise((resolve) => server?.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    text,
    lines: () => Promise.resolve(readFrames(text()).map((frame) => frame.slice(frame.indexOf('{')))),
  };
  return receiver;
}

/** Splits messages by their length in bytes. Skips what a closed connection has left. */
export function readFrames(text: string): string[] {
  const bytes = Buffer.from(text);
  const frames: string[] = [];
  for (let start = 0; start < bytes.length;) {
    const [prefix, length = ''] = /^(\d+) </.exec(bytes.subarray(start, start + 12).toString()) ?? [];
    const begin = start + length.length + 1;
    const frame = bytes.subarray(begin, begin + Number(length)).toString();
    const isWhole = prefix !== undefined && frame.endsWith('}') && !/\}\d+ <109>/.test(frame);
    if (isWhole) frames.push(frame);
    const next = bytes.indexOf(' <109>1 ', start + 8);
    start = isWhole ? begin + Number(length) : next === -1 ? bytes.length : bytes.lastIndexOf('}', next) + 1;
  }
  return frames;
}

export function fileReceiver(folder: string): Receiver & { file: string } {
  const file = path.join(folder, 'audit.jsonl');
  return {
    file,
    definition: { name: 'file', type: 'file', path: file },
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    lines: () => Promise.resolve(existsSync(file) ? linesOf(readFileSync(file, 'utf8')) : []),
  };
}

const bucket = 'audit';
/** The only credentials that the server knows. */
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** A real S3-compatible server. */
export function s3Receiver(folder: string): Receiver {
  let server: S3rver | undefined;
  let port = 0;
  const endpoint = () => `http://127.0.0.1:${port}`;
  const receiver: Receiver = {
    definition: { name: 's3', type: 's3', bucket, region: 'us-east-1', prefix: '', everySeconds: 1 },
    start: async () => {
      const configureBuckets = [{ name: bucket, configs: [] }];
      server = new S3rver({
        address: '127.0.0.1',
        port,
        silent: true,
        directory: path.join(folder, 's3'),
        configureBuckets,
      });
      ({ port } = await server.run());
      receiver.definition = {
        name: 's3',
        type: 's3',
        bucket,
        region: 'us-east-1',
        endpoint: endpoint(),
        prefix: 'keycard/',
        everySeconds: 1,
        ...credentials,
      };
    },
    stop: async () => server?.close(),
    lines: async () => {
      const client = new S3Client({ region: 'us-east-1', endpoint: endpoint(), forcePathStyle: true, credentials });
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: 'keycard/' }));
      const texts: string[] = [];
      for (const { Key } of Contents) {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key }));
        texts.push(gunzipSync((await Body?.transformToByteArray()) ?? Buffer.alloc(0)).toString());
      }
      client.destroy();
      return linesOf(texts.join(''));
    },
  };
  return receiver;
}
