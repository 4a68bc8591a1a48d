import { EventEmitter, once } from 'node:events';
import { LogOutput } from './log-output.js';

/** A destination that accepts text when the test decides. */
function createOutput() {
  const written: string[] = [];
  const calls: { text: string; done: (error?: Error) => void }[] = [];
  const writes = new EventEmitter();
  const output = new LogOutput({
    write: (text, done) => {
      calls.push({ text, done });
      writes.emit('write');
    },
    writeNow: (text) => void written.push(text),
    describeDropped: (lines) => `dropped ${lines}\n`,
    limitCharacters: 20,
    retryMilliseconds: 1,
  });
  const accept = () => {
    const call = calls.shift();
    if (call === undefined) throw new Error('Nothing is being written.');
    written.push(call.text);
    call.done();
  };
  const reject = () => calls.shift()?.done(new Error('full'));
  const nextWrite = () => once(writes, 'write');
  return { output, written, calls, accept, reject, nextWrite };
}

describe('LogOutput', () => {
  it('should run one write at a time, then write all lines that arrived during it', () => {
    const { output, written, calls, accept } = createOutput();
    for (const line of ['1\n', '2\n', '3\n']) output.write(line);
    expect(calls).toHaveLength(1);
    accept();
    accept();
    expect(calls).toEqual([]);
    expect(written).toEqual(['1\n', '2\n3\n']);
  });

  it('should buffer a limited amount of text while the destination is stalled, and report dropped lines', () => {
    const { output, written, calls, accept } = createOutput();
    for (let line = 0; line < 1000; line++) output.write('123456789\n');
    expect(calls).toHaveLength(1);
    accept();
    accept();
    expect(written).toEqual(['123456789\n', 'dropped 997\n123456789\n123456789\n']);
    output.write('next\n');
    accept();
    expect(written.at(-1)).toBe('next\n');
  });

  it('should retry after a failure, and report the lines it lost', async () => {
    const { output, written, accept, reject, nextWrite } = createOutput();
    output.write('1\n2\n');
    reject();
    output.write('3\n');
    await nextWrite();
    reject();
    await nextWrite();
    accept();
    expect(written).toEqual(['dropped 3\n']);
  });

  it('should flush when nothing is pending, and immediately if the destination fails', () => {
    const { output, accept, reject } = createOutput();
    const flushed: string[] = [];
    output.write('1\n');
    output.write('2\n');
    output.flush(() => flushed.push('written'));
    accept();
    expect(flushed).toEqual([]);
    accept();
    expect(flushed).toEqual(['written']);
    output.write('3\n');
    output.flush(() => flushed.push('failed'));
    reject();
    expect(flushed).toEqual(['written', 'failed']);
  });

  it('should not wait for a stalled destination at exit', () => {
    const { output, written } = createOutput();
    output.write('1\n');
    output.write('2\n');
    output.flushSync();
    expect(written).toEqual([]);
  });
});
