import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { PassThrough, type Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../errors/app-error.js';
import { stall } from '../../../test/setup/stall.js';
import { BodyMemory } from './body-memory.js';
import { BodyReader } from './body-reader.js';

const readerOf = (body: Readable, maxBytes: number, idleMilliseconds = 60_000) =>
  new BodyReader(body, { maxBytes, idleMilliseconds });

describe('BodyReader', () => {
  it('should return chunks in order, and then undefined', async () => {
    const body = new PassThrough();
    const reader = readerOf(body, 100);
    body.write('a');
    expect(String(await reader.next())).toBe('a');
    const next = reader.next();
    body.end('b');
    expect(String(await next)).toBe('b');
    expect(await reader.next()).toBeUndefined();
    expect(await reader.next()).toBeUndefined();
  });

  it('should read no further than requested', async () => {
    const body = new PassThrough({ highWaterMark: 1000 });
    const reader = readerOf(body, 1e9);
    body.write('first');
    await reader.next();
    for (let count = 0; count < 100; count++) body.write(Buffer.alloc(1000));
    await setImmediate();
    expect(body.writableLength + body.readableLength).toBeGreaterThan(90_000);
  });

  it('should limit the bytes processed in one turn of the event loop', async () => {
    const body = new PassThrough({ highWaterMark: 1e9 });
    const reader = readerOf(body, 1e9);
    body.write(Buffer.alloc(1e6));
    for (let count = 0; count < 1000; count++) body.write(Buffer.alloc(1000));
    body.end();
    let bytes = 0;
    let isDone = false;
    const read = (async () => {
      for (let chunk = await reader.next(); chunk !== undefined; chunk = await reader.next()) bytes += chunk.length;
      isDone = true;
    })();
    for (let before = 0; !isDone; before = bytes) {
      await setImmediate();
      expect(bytes - before).toBeLessThanOrEqual(2 * 64 * 1024);
    }
    await read;
    expect(bytes).toBe(2e6);
  });

  it('should reject a body that is too large with 413, and keep its stream open', async () => {
    const body = new PassThrough();
    const reader = readerOf(body, 10);
    body.write(Buffer.alloc(10));
    expect(await reader.next()).toHaveLength(10);
    body.write('x');
    await expect(reader.next()).rejects.toMatchObject({ status: 413 });
    expect(body.destroyed).toBe(false);
  });

  it.each([
    ['breaks', new Error('reset')],
    ['closes', undefined],
  ])('should fail with 400 if the stream %s before its end', async (_title, error) => {
    const body = new PassThrough();
    const reader = readerOf(body, 10);
    const next = reader.next();
    body.destroy(error);
    await expect(next).rejects.toMatchObject({ status: 400 });
    await expect(reader.next()).rejects.toMatchObject({ status: 400 });
    await expect(readerOf(body, 10).next()).rejects.toMatchObject({ status: 400 });
  });

  it('should reject a body that stops arriving with 408, and keep its stream open', async () => {
    const body = new PassThrough();
    const reader = readerOf(body, 100, 10);
    body.write('a');
    expect(String(await reader.next())).toBe('a');
    await expect(reader.next()).rejects.toMatchObject({
      status: 408,
      message: expect.stringContaining('0.01 seconds') as string,
    });
    expect(body.destroyed).toBe(false);
  });

  it('should wait for a body as long as it keeps arriving', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    try {
      const body = new PassThrough();
      const reader = readerOf(body, 100, 1000);
      for (const sent of ['a', 'b', 'c']) {
        const next = reader.next();
        jest.advanceTimersByTime(600);
        body.write(sent);
        expect(String(await next)).toBe(sent);
      }
      const stalled = expect(reader.next()).rejects.toMatchObject({ status: 408 });
      jest.advanceTimersByTime(1000);
      await stalled;
    } finally {
      jest.useRealTimers();
    }
  });

  it('should accept a chunk that arrived while this process was stalled', async () => {
    const server = createTcpServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const sender = connect((server.address() as AddressInfo).port, '127.0.0.1');
    try {
      const [[body]] = (await Promise.all([once(server, 'connection'), once(sender, 'connect')])) as [[Socket], []];
      const reader = readerOf(body, 100, 50);
      sender.write('a');
      expect(String(await reader.next())).toBe('a');
      const next = reader.next();
      sender.end('b');
      stall(150);
      expect(String(await next)).toBe('b');
    } finally {
      sender.destroy();
      server.close();
    }
  });

  it('should not count the time in which no chunk is requested', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    try {
      const body = new PassThrough();
      const reader = readerOf(body, 100, 1000);
      body.write('a');
      await reader.next();
      jest.advanceTimersByTime(5000);
      const next = reader.next();
      jest.advanceTimersByTime(999);
      body.end('b');
      expect(String(await next)).toBe('b');
      expect(await reader.next()).toBeUndefined();
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('should fail with the given error, and discard unread chunks', async () => {
    const body = new PassThrough();
    const reader = readerOf(body, 100);
    const next = reader.next();
    BodyReader.fail(body, new AppError('request-timeout', 'late'));
    await expect(next).rejects.toMatchObject({ status: 408, message: 'late' });
    body.end('a');
    await once(body.resume(), 'end');
    await expect(reader.next()).rejects.toMatchObject({ status: 408 });
  });

  it('should fail from the start if the body failed before', async () => {
    const body = new PassThrough();
    BodyReader.fail(body, new AppError('request-timeout', 'late'));
    await expect(readerOf(body, 100).next()).rejects.toMatchObject({ status: 408 });
  });

  describe('of a request that has arrived completely', () => {
    /** Reads the body of a request to a real server after all of it has arrived. */
    async function readArrived(sent: string, maxBytes: number, headers = {}): Promise<string> {
      const server = createServer({ keepAliveTimeout: 1 }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const client = request({ port, host: '127.0.0.1', method: 'POST', headers });
      client.on('error', () => undefined).end(sent);
      const [body, response] = (await once(server, 'request')) as [IncomingMessage, NodeJS.WritableStream];
      while (!body.complete) await setImmediate();
      try {
        const reader = new BodyReader(body, { maxBytes, idleMilliseconds: 60_000 });
        const read = (await reader.readAll(new BodyMemory(1000).open())).toString();
        if (!body.readableEnded) await once(body, 'end');
        return read;
      } finally {
        response.end();
        server.close();
        server.closeAllConnections();
      }
    }

    it.each([
      ['with its length', { 'content-length': '4' }, 'body'],
      ['without its length', { 'transfer-encoding': 'chunked' }, 'body'],
      ['that is empty', { 'content-length': '0' }, ''],
    ])('should read it, and end its stream, %s', async (_title, headers, sent) => {
      expect(await readArrived(sent, 4, headers)).toBe(sent);
    });

    it('should reject it with 413 if it is too large', async () => {
      const reading = readArrived('bodies', 4, { 'transfer-encoding': 'chunked' });
      await expect(reading).rejects.toMatchObject({ status: 413 });
    });
  });
});
