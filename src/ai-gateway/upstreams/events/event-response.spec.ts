import { once } from 'node:events';
import { AppError } from '../../../common/errors/app-error.js';
import type { EventReader } from './event-reader.js';
import { EventResponse, type EventSource } from './event-response.js';

/** A reader of events that end with `data: end`. */
class TestReader implements EventReader {
  state: EventReader['state'] = 'open';

  read({ bytes, data }: { bytes: Buffer; data: Buffer }): Buffer {
    if (data.toString() === 'end') this.state = 'complete';
    return bytes;
  }

  errorEvent({ message }: AppError): string {
    return `data: error ${message}\n\n`;
  }
}

function openStream() {
  const calls: string[] = [];
  const source: EventSource = {
    pause: () => calls.push('pause'),
    resume: () => calls.push('resume'),
    leave: () => calls.push('leave'),
    cancel: () => calls.push('cancel'),
    onLate: (seconds) => calls.push(`late after ${seconds} s`),
    idleSeconds: 20,
    endsAt: performance.now() + 100_000,
    timeoutSeconds: 100,
  };
  const stream = new EventResponse(new TestReader());
  stream.open(source);
  stream.recordBeforeEnd(() => Promise.resolve());
  const start = performance.now();
  /** Lets this many seconds pass since the stream was opened. */
  const pass = (seconds: number) => stream.check(start + seconds * 1000);
  return { stream, calls, pass };
}

const receive = (stream: EventResponse, text: string) => stream.receive(Buffer.from(text));
const read = async (stream: EventResponse) => {
  await once(stream, 'readable');
  return String(stream.read());
};

describe('EventResponse', () => {
  const opened: EventResponse[] = [];
  const open = () => {
    const { stream, ...others } = openStream();
    opened.push(stream);
    return { stream, ...others };
  };
  afterEach(() => {
    for (const stream of opened.splice(0)) stream.close();
  });

  it('should send a comment after 15 seconds of silence', async () => {
    const { stream, pass } = open();
    pass(14);
    pass(15.5);
    expect(await read(stream)).toBe(': keep-alive\n\n');
  });

  it('should be late once it has paused for too long, and been given time to read what has arrived', () => {
    const { calls, pass } = open();
    pass(19);
    pass(21);
    expect(calls).toEqual([]);
    pass(22);
    expect(calls).toEqual(['late after 20 s']);
  });

  it('should be late once its time is up', () => {
    const { stream, calls, pass } = open();
    pass(90);
    receive(stream, 'data: a\n\n');
    pass(101);
    pass(102);
    expect(calls.at(-1)).toMatch(/^late after/);
  });

  it('should stop the upstream while the client does not read, without counting that time', async () => {
    const { stream, calls, pass } = open();
    for (let count = 0; count < 3; count++) receive(stream, `data: ${'a'.repeat(10_000)}\n\n`);
    await new Promise((resolve) => setImmediate(resolve));
    expect(calls).toEqual(['pause']);
    for (const seconds of [50, 120, 500]) pass(seconds);
    expect(calls).toEqual(['pause']);
    stream.read();
    stream.read();
    expect(calls).toEqual(['pause', 'resume']);
  });

  it('should not keep the client waiting for an upstream that has sent everything but does not end', async () => {
    const { stream, calls, pass } = open();
    receive(stream, 'data: a\n\ndata: end\n\n');
    expect(await read(stream)).toBe('data: a\n\n');
    pass(3);
    expect(await read(stream)).toBe('data: end\n\n');
    expect(calls).toEqual(['cancel']);
  });

  it('should end with an error event if its usage cannot be recorded', async () => {
    const stream = new EventResponse(new TestReader());
    receive(stream, 'data: a\n\ndata: end\n\n');
    stream.finish();
    stream.recordBeforeEnd(() => Promise.reject(new AppError('overloaded', 'Try again.')));
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    expect(text).toBe('data: a\n\ndata: error Try again.\n\n');
  });
});
