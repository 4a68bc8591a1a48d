import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { stall } from '../../../test/setup/stall.js';
import { UpstreamDeadline } from './upstream-deadline.js';

const limitMilliseconds = 50;

describe('UpstreamDeadline', () => {
  it('should not expire when the response arrived while this process was stalled', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    try {
      const [[upstream]] = (await Promise.all([once(server, 'connection'), once(socket, 'connect')])) as [[Socket], []];
      let isLate = false;
      const deadline = new UpstreamDeadline(() => (isLate = true));
      socket.once('data', () => deadline.pause());
      deadline.start(limitMilliseconds);
      upstream.end('response');
      stall(3 * limitMilliseconds);
      await once(socket, 'end');
      expect(isLate).toBe(false);
    } finally {
      socket.destroy();
      server.close();
    }
  });

  it('should expire when nothing arrives', async () => {
    const isLate = await new Promise<boolean>((resolve) => {
      new UpstreamDeadline(() => resolve(true)).start(1);
    });
    expect(isLate).toBe(true);
  });
});
