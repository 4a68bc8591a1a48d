import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { StartupError } from '../common/startup-error.js';
import { RemoteCalls } from './remote-calls.js';

type Methods = {
  double: (value: number) => Promise<number>;
  fail: (isStartupError: boolean) => void;
  never: () => Promise<void>;
};

let ports: [MessagePort, MessagePort];
let remote: RemoteCalls<Methods>;

beforeEach(() => {
  const { port1, port2 } = new MessageChannel();
  ports = [port1, port2];
  const channelOf = (port: MessagePort) => ({
    on: (_event: 'message', listener: (message: unknown) => void) => port.on('message', listener),
    send: (message: object) => port.postMessage(message),
  });
  const methods: Methods = {
    double: (value) => Promise.resolve(2 * value),
    fail: (isStartupError) => {
      throw isStartupError ? new StartupError('The port is in use.') : new TypeError('A problem');
    },
    never: () => new Promise(() => undefined),
  };
  new RemoteCalls(channelOf(port2), methods);
  remote = new RemoteCalls(channelOf(port1), {});
});
afterEach(() => ports.forEach((port) => port.close()));

describe('RemoteCalls', () => {
  it('should return the results of concurrent calls', async () => {
    expect(await Promise.all([remote.call('double', 1), remote.call('double', 2)])).toEqual([2, 4]);
  });

  it('should throw what a function throws, and keep errors that an operator can fix recognizable', async () => {
    await expect(remote.call('fail', true)).rejects.toThrow(StartupError);
    await expect(remote.call('fail', false)).rejects.toThrow('A problem');
    await expect(remote.call('fail', false)).rejects.not.toThrow(StartupError);
  });

  it('should reject waiting and later calls once the other process has ended', async () => {
    const waiting = remote.call('never');
    remote.close(new Error('It ended.'));
    await expect(waiting).rejects.toThrow('It ended.');
    await expect(remote.call('double', 1)).rejects.toThrow('It ended.');
  });
});
