import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { drawTextImage } from '../../document-reader/test/documents/draw-image.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { aiError } from '../setup/ai-error.js';
import { type CallResponse, call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

/** More requests than the engine admits at once. */
const crowd = 80;
const text = 'Lighthouse';

const service = useTestApp();
let token: string;
let body: object;

beforeAll(async () => {
  token = (await createApiKey(service, await createMember(service))).key;
  const image = await drawTextImage(text, { size: [300, 160] });
  body = { model: 'tesseract', document: { image_url: `data:image/png;base64,${image.toString('base64')}` } };
});

const read = () => call(service.url, 'POST /v1/ocr', { token, body });

describe('POST /v1/ocr with too many waiting documents', () => {
  it('should return 503 with Retry-After while the queue is full, and read documents afterwards', async () => {
    const controller = new AbortController();
    const crowding = Array.from({ length: crowd }, async () => {
      const response = await fetch(`${service.url}/v1/ocr`, {
        method: 'POST',
        headers: { 'x-api-key': token, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: controller.signal,
      });
      if (response.status !== 503) throw new Error(`The status was ${response.status}.`);
      return { retryAfter: response.headers.get('retry-after'), response: await response.json() };
    });
    const { retryAfter, response } = await Promise.any(crowding);
    expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
    expect(response).toEqual(
      aiError({ message: expect.any(String) as string, type: 'server_error', param: null, code: 'overloaded' }),
    );
    // Clients that disconnect leave the queue.
    controller.abort();
    await Promise.allSettled(crowding);
    let after: CallResponse;
    do after = await read();
    while (after.status === 503);
    expect(after.status).toBe(200);
    expect(after.text).toContain(text);
  });
});

describe('POST /v1/ocr while another organization floods the engine', () => {
  it('should read the document after at most one more on each worker', async () => {
    const { key: otherToken } = await createApiKey(service, await createMember(service));
    const controller = new AbortController();
    let isRejected = false;
    let readCount = 0;
    const flood = async () => {
      const headers = { 'x-api-key': token, 'content-type': 'application/json' };
      const options = { method: 'POST', headers, body: JSON.stringify(body), signal: controller.signal };
      const { status } = await fetch(`${service.url}/v1/ocr`, options);
      isRejected ||= status === 503;
      if (status === 200) readCount += 1;
    };
    const crowding = Array.from({ length: crowd }, flood);
    while (!isRejected) await setImmediate();
    const readBefore = readCount;
    const response = await call(service.url, 'POST /v1/ocr', { token: otherToken, body });
    expect(response.status).toBe(200);
    // Documents in progress when it arrived, and one more on each worker.
    expect(readCount - readBefore).toBeLessThanOrEqual(2 * Math.min(4, availableParallelism()));
    controller.abort();
    await Promise.allSettled(crowding);
  });
});

describe('Clients that stop sending in the middle of a document', () => {
  const clients: Socket[] = [];
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
  });

  /** Sends half of a document. */
  async function sendHalf(): Promise<void> {
    const client = connect(Number(new URL(service.url).port), '127.0.0.1');
    client.on('error', () => undefined);
    clients.push(client);
    await once(client, 'connect');
    const half = JSON.stringify(body).slice(0, -100);
    const head = `POST /v1/ocr HTTP/1.1\r\nHost: keycard\r\nx-api-key: ${token}\r\ncontent-type: application/json\r\n`;
    client.write(`${head}content-length: ${half.length + 100}\r\n\r\n${half}`);
  }

  it('should not occupy workers', async () => {
    await Promise.all(Array.from({ length: 20 }, sendHalf));
    const responses = await Promise.all(Array.from({ length: 5 }, read));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });
});
