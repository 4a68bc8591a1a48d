import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { generateApiKey } from '../src/api-keys/api-key.token.js';
import { createApiKey } from './factories/api-keys.js';
import { createMember } from './factories/organizations.js';
import { startTestApp, type TestApp } from './setup/test-app.js';

const megabyte = 1024 * 1024;

/** Until more can be written, or the connection has ended in whatever way. */
function drained(client: Socket): Promise<void> {
  return new Promise((resolve) => {
    client.once('drain', resolve);
    client.once('close', () => resolve());
  });
}

describe('A body that is refused before it is read', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startTestApp();
  });
  afterAll(() => service.stop());

  /** Posts `size` bytes and goes on sending until the server hangs up or all is sent. */
  async function post(key: string, size: number): Promise<{ statusLine: string; bytesRead: number }> {
    const server = service.app.getHttpServer();
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = connect(Number(new URL(service.url).port), '127.0.0.1');
    let answer = '';
    client.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
    // The server hanging up on a sender is what is tested.
    client.on('error', () => undefined);
    const [socket] = await accepted;
    client.write(
      `POST /v1/embeddings HTTP/1.1\r\nHost: keycard\r\nx-api-key: ${key}\r\n` +
        `content-type: application/json\r\ncontent-length: ${size}\r\n\r\n`,
    );
    const chunk = Buffer.alloc(64 * 1024, 'x');
    for (let sent = 0; sent < size && !client.destroyed; sent += chunk.length) {
      if (!client.write(chunk)) await drained(client);
    }
    client.destroy();
    if (!socket.destroyed) await once(socket, 'close');
    return { statusLine: answer.slice(0, answer.indexOf('\r\n')), bytesRead: socket.bytesRead };
  }

  it('should be read for less than 1 MB of 50 MB when the key is not valid', async () => {
    const { statusLine, bytesRead } = await post(generateApiKey(), 50 * megabyte);
    expect(statusLine).toBe('HTTP/1.1 401 Unauthorized');
    expect(bytesRead).toBeLessThan(megabyte);
  });

  it('should be read for less than 1 MB when the key is valid and the body too large', async () => {
    const { key } = await createApiKey(service, await createMember(service));
    const { statusLine, bytesRead } = await post(key, 50 * megabyte);
    expect(statusLine).toBe('HTTP/1.1 413 Payload Too Large');
    expect(bytesRead).toBeLessThan(megabyte);
  });

  it('should leave the connection usable when it is small', async () => {
    const client = connect(Number(new URL(service.url).port), '127.0.0.1');
    const request = `POST /v1/embeddings HTTP/1.1\r\nHost: keycard\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`;
    client.write(request + request);
    let answers = '';
    for await (const chunk of client) {
      answers += String(chunk);
      if (answers.split('HTTP/1.1 401').length === 3) break;
    }
    expect(answers.split('HTTP/1.1 401')).toHaveLength(3);
  });
});
