import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stall } from '../../../test/setup/stall.js';
import { requestProvider } from './provider-request.js';

const limits = { timeoutMilliseconds: 50, cooldownMilliseconds: 0, bytes: 1000 };

describe('requestProvider', () => {
  let server: Server;
  let url: string;
  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  it('should accept a response that arrived while this process was stalled', async () => {
    server.once('request', (_request, response) => {
      response.end('{}');
      // After the response was sent.
      process.nextTick(() => stall(3 * limits.timeoutMilliseconds));
    });
    const response = await requestProvider(url, {}, limits);
    expect(await response.text()).toBe('{}');
  });

  it('should give up on a server that stays silent', async () => {
    await expect(requestProvider(url, {}, limits)).rejects.toThrow('Timed out.');
  });
});
