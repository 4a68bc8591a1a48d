import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useGateway } from '../setup/gateway.js';
import { blockUsage, isRecorderBlocked } from '../setup/recorded-usage.js';
import {
  embeddingsText,
  respondWithEmbeddings,
  respondWithJson,
  startUpstream,
  type Upstream,
  upstreamModel,
} from '../setup/upstream.js';
import { waitFor } from '../setup/wait-for.js';

const megabyte = 1024 * 1024;

describe('An upstream with large bodies', () => {
  let upstream: Upstream;
  const gateway = useGateway(async () => {
    upstream = await startUpstream();
    const impatient = upstreamModel([{ ...upstream, timeoutSeconds: 1 }], { id: 'impatient' });
    return [upstreamModel([upstream]), impatient, upstreamModel([{ baseUrl: await startHasty() }], { id: 'hasty' })];
  });
  afterAll(() => hasty.close());

  /** An upstream that responds before it has received the body. */
  const hasty = createServer((_request, response) => respondWithJson(response, 200, embeddingsText('remote-small')));
  async function startHasty(): Promise<string> {
    await once(hasty.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(hasty.address() as AddressInfo).port}/v1`;
  }

  afterAll(() => upstream.stop());
  beforeEach(() => {
    gateway.logLines.length = 0;
    upstream.requests.length = 0;
    upstream.respond = respondWithEmbeddings();
  });

  /** Opens a request whose body the test writes in parts. */
  function post(headers: Record<string, string | number> = {}) {
    return httpRequest(`${gateway.url}/v1/embeddings`, {
      method: 'POST',
      headers: { 'x-api-key': gateway.key, 'content-type': 'application/json', ...headers },
    });
  }

  async function bodyOf(response: NodeJS.ReadableStream): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  }

  it.each([
    ['with a content length', true],
    ['chunked', false],
  ])('should get a body of 8 MB unchanged, %s', async (_title, isAnnounced) => {
    for (const fields of ['"model":"small","input":', '"input":']) {
      const body = `{${fields}"${'text '.repeat(1.6 * megabyte)}"${fields.length > 10 ? '' : ',"model":"small"'}}`;
      const request = post(isAnnounced ? { 'content-length': Buffer.byteLength(body) } : {});
      request.end(body);
      const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
      expect(await bodyOf(response)).toBe(embeddingsText('small'));
      expect(upstream.requests.at(-1)?.body?.equals(Buffer.from(body.replace('"small"', '"remote-small"')))).toBe(true);
    }
  });

  it('should get the start of a large body before the client has sent the end', async () => {
    const request = post();
    request.write(`{"model":"small","input":"${'x'.repeat(2 * megabyte)}`);
    await waitFor(() => upstream.requests.length > 0);
    request.end('"}');
    const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
    expect(await bodyOf(response)).toBe(embeddingsText('small'));
  });

  it.each([
    ['a second model follows', '","model":"other"}', 'model must be given once.'],
    ['it is not valid JSON', '"]', 'The body is not valid JSON.'],
    ['it is incomplete', '",', 'The body is not valid JSON: it is cut off.'],
  ])('should not get the end of a large body, and the client 400, if %s', async (_title, end, message) => {
    const request = post();
    request.write(`{"model":"small","input":"${'x'.repeat(2 * megabyte)}`);
    await waitFor(() => upstream.requests.length > 0);
    request.end(end);
    const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
    expect(response.statusCode).toBe(400);
    expect(JSON.parse(await bodyOf(response))).toMatchObject({ error: { message } });
    expect(upstream.requests[0]?.body).toBeUndefined();
  });

  it('should be reported as 502 if it responds before the client has sent the end', async () => {
    const request = post();
    request.on('error', () => undefined);
    request.write(`{"model":"hasty","input":"${'x'.repeat(2 * megabyte)}`);
    const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
    expect(response.statusCode).toBe(502);
    request.destroy();
  });

  it('should not be blamed for a client that sends too slowly', async () => {
    const sendSlowly = async () => {
      const request = post();
      request.on('error', () => undefined);
      request.write(`{"model":"impatient","input":"${'x'.repeat(2 * megabyte)}`);
      const timer = setInterval(() => request.write('x'), 100);
      const [response] = (await once(request, 'response')) as [{ statusCode: number }];
      clearInterval(timer);
      request.destroy();
      return response.statusCode;
    };
    // Five failures in a row open the circuit.
    const statuses = await Promise.all(Array.from({ length: 5 }, sendSlowly));
    expect(statuses).toEqual([504, 504, 504, 504, 504]);
    expect((await gateway.embed({ model: 'impatient', input: 'a' })).status).toBe(200);
  });

  it('should not get the end of a chunked body beyond the limit, and the client 413', async () => {
    const request = post();
    request.on('error', () => undefined);
    request.write(`{"model":"small","input":"${'x'.repeat(9 * megabyte)}`);
    await waitFor(() => upstream.requests.length > 0);
    // Little enough beyond the limit to be drained, so that the connection ends cleanly.
    request.write('x'.repeat(megabyte + 64 * 1024));
    const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
    expect(response.statusCode).toBe(413);
    expect(upstream.requests[0]?.body).toBeUndefined();
    request.destroy();
  });

  it('should be disconnected when the client disconnects while sending', async () => {
    const request = post();
    request.on('error', () => undefined);
    request.write(`{"model":"small","input":"${'x'.repeat(2 * megabyte)}`);
    await waitFor(() => upstream.requests.length > 0);
    request.destroy();
    await waitFor(() => upstream.requests[0]?.isBroken === true);
    expect(upstream.requests[0]?.body).toBeUndefined();
  });

  it('should be disconnected when the client disconnects before the response', async () => {
    const controller = new AbortController();
    const hungUp = new Promise<void>((resolve) => {
      upstream.respond = (response) => {
        response.once('close', () => resolve());
        controller.abort();
      };
    });
    const { signal } = controller;
    const body = '{"model":"small","input":"a"}';
    const headers = { 'x-api-key': gateway.key, 'content-type': 'application/json' };
    await expect(fetch(`${gateway.url}/v1/embeddings`, { method: 'POST', headers, body, signal })).rejects.toThrow();
    await hungUp;
    expect((await gateway.embed('[]')).status).toBe(400);
    expect(gateway.logLines.join('')).not.toContain('"level":50');
  });

  /** Makes the upstream send the first part of a response. Returns what the client has received, and the rest of it. */
  async function receiveFirstPart(part: string) {
    const started = new Promise<ServerResponse>((resolve) => {
      upstream.respond = (response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).write(part);
        resolve(response);
      };
    });
    const request = post();
    request.end('{"model":"small","input":"a"}');
    const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
    const received = { text: '' };
    response.on('data', (chunk: Buffer) => (received.text += String(chunk)));
    const ended = once(response, 'end');
    await waitFor(() => received.text === part);
    return { received, ended, sender: await started };
  }

  it('should have the first part of its response forwarded before it sends the second', async () => {
    const { received, ended, sender } = await receiveFirstPart('{"data":[');
    sender.end('1],"model":"remote-small","usage":{"total_tokens":9}}');
    await ended;
    expect(received.text).toBe('{"data":[1],"model":"small","usage":{"total_tokens":9}}');
  });

  it('should have only the end of its response held back until the usage is recorded', async () => {
    const [beginning, end] = ['{"data":[1],"model":"small",', '"usage":{"total_tokens":9}}'];
    const { received, ended, sender } = await receiveFirstPart(beginning);
    const unblock = await blockUsage(gateway);
    sender.end(end);
    await waitFor(() => isRecorderBlocked(gateway));
    expect(received.text).toBe(beginning);
    await unblock();
    await ended;
    expect(received.text).toBe(beginning + end);
  });

  /** Writes a response of about 40 MB as fast as it is read. */
  async function writeLargeAnswer(response: ServerResponse, onStall: () => void): Promise<void> {
    const chunk = Buffer.from(`${'0.0123456789,'.repeat(8000)}`);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"data":[');
    const closed = once(response, 'close');
    for (let written = 0; written < 40 * megabyte; written += chunk.length) {
      if (response.write(chunk)) continue;
      onStall();
      await new Promise((resolve) => {
        response.once('drain', resolve);
        void closed.then(resolve);
      });
      if (response.destroyed) return;
    }
    response.end('1],"model":"remote-small","usage":{"total_tokens":9}}');
  }

  it("should have 40 MB forwarded at the client's pace in bounded memory", async () => {
    let stalls = 0;
    upstream.respond = (response) => writeLargeAnswer(response, () => (stalls += 1));
    const request = post();
    request.end('{"model":"small","input":"a"}');
    const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
    // Nothing is read, so all buffers on the way fill up.
    await waitFor(() => stalls > 0);
    let bytes = 0;
    let tail = '';
    let largest = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      tail = (tail + chunk.subarray(-100).toString()).slice(-100);
      largest = Math.max(largest, process.memoryUsage().arrayBuffers);
    }
    expect(bytes).toBeGreaterThan(40 * megabyte);
    expect(tail).toContain('1],"model":"small","usage":{"total_tokens":9}}');
    expect(largest).toBeLessThan(200 * megabyte);
  });

  it('should be disconnected when the client disconnects during a large response', async () => {
    const ended = new Promise<void>((resolve) => {
      upstream.respond = async (response) => {
        await writeLargeAnswer(response, () => undefined);
        resolve();
      };
    });
    const request = post();
    request.end('{"model":"small","input":"a"}');
    const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream & { destroy: () => void }];
    await once(response, 'readable');
    response.destroy();
    await ended;
    expect(gateway.logLines.join('')).not.toContain('"level":50');
  });

  it("should break the client's connection if its response stalls while the client reads", async () => {
    for (const start of ['{"data":[', `{"data":"${'x'.repeat(megabyte)}`]) {
      gateway.logLines.length = 0;
      upstream.respond = (response) => void response.writeHead(200).write(start);
      const request = post();
      request.end('{"model":"impatient","input":"a"}');
      const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
      await expect(bodyOf(response)).rejects.toThrow('aborted');
      expect(gateway.logLines.join('')).toContain('did not respond within 1 s');
    }
  });

  it('should get other requests while a slow client reads the response to a probe', async () => {
    const embed = () => gateway.embed({ model: 'impatient', input: 'a' });
    // Ends a series of failures.
    expect((await embed()).status).toBe(200);
    upstream.respond = (response) => respondWithJson(response, 500, '{}');
    for (let failure = 0; failure < 5; failure++) expect((await embed()).status).toBe(502);
    upstream.respond = (response) => writeLargeAnswer(response, () => undefined);
    let probe: Pick<IncomingMessage, 'statusCode' | 'destroy'> | undefined;
    await waitFor(async () => {
      const request = post();
      request.end('{"model":"impatient","input":"a"}');
      [probe] = (await once(request, 'response')) as [IncomingMessage];
      if (probe.statusCode !== 200) probe.destroy();
      return probe.statusCode === 200;
    });
    upstream.respond = respondWithEmbeddings();
    expect((await embed()).status).toBe(200);
    probe?.destroy();
  });
});
