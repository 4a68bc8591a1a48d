import { setImmediate as turn } from 'node:timers/promises';
import { JoinedLines } from './joined-lines.js';

function createDestination() {
  const calls: string[] = [];
  return {
    calls,
    write: (text: string) => calls.push(`write ${text}`),
    flush: (done?: () => void) => {
      calls.push('flush');
      done?.();
    },
    flushSync: () => {
      calls.push('flushSync');
    },
  };
}

describe('JoinedLines', () => {
  it('should join the lines of one event loop turn, in order', async () => {
    const destination = createDestination();
    const lines = new JoinedLines(destination);
    lines.write('1;');
    lines.write('2;');
    expect(destination.calls).toEqual([]);
    await turn();
    lines.write('3;');
    await turn();
    expect(destination.calls).toEqual(['write 1;2;', 'write 3;']);
  });

  it.each(['flush', 'flushSync'] as const)('should write pending lines before %s', (flush) => {
    const destination = createDestination();
    const lines = new JoinedLines(destination);
    lines.write('1;');
    lines[flush]();
    expect(destination.calls).toEqual(['write 1;', flush]);
  });

  it('should call back when a flush is done', async () => {
    const lines = new JoinedLines(createDestination());
    await expect(new Promise<void>((resolve) => lines.flush(() => resolve()))).resolves.toBeUndefined();
  });
});
