import { Progress } from './progress.js';

function report(isTTY: boolean): string {
  let written = '';
  const progress = new Progress({ isTTY, write: (text) => (written += text) });
  progress.update('usage: 1.0 MB');
  progress.finish('usage: 3 rows');
  return written;
}

describe('Progress', () => {
  it('should print one line per step', () => {
    expect(report(false)).toBe('usage: 3 rows\n');
  });

  it('should replace the line of the current step on a terminal', () => {
    expect(report(true)).toBe('\r\u001b[2Kusage: 1.0 MB\r\u001b[2Kusage: 3 rows\n');
  });
});
