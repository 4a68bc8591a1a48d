import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';

const program = fileURLToPath(new URL('./busy-logger.js', import.meta.url));
const lines = 100_000;
/** The lines total 200 MB; a process without any uses about 70 MB. */
const maxMegabytes = 180;

const children: ChildProcess[] = [];
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

function run(destination: 'pipe' | number) {
  const child = spawn(process.execPath, [program, String(lines)], { stdio: ['pipe', destination, 'pipe'] });
  children.push(child);
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stderr === null) throw new Error('The child process has no pipes.');
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const logged = once(stderr, 'data').then(([text]) => JSON.parse(String(text)) as { megabytes: number });
  return { stdin, stdout, exited, logged };
}

describe('Logging to a destination', () => {
  it('should drop lines while it is stalled, in bounded memory, and report them afterwards', async () => {
    const { stdin, stdout, exited, logged } = run('pipe');
    // Nothing is read yet.
    expect((await logged).megabytes).toBeLessThan(maxMegabytes);
    if (stdout === null) throw new Error('The child process has no pipe.');
    let received = 0;
    let dropped = 0;
    let last = -1;
    const reading = (async () => {
      for await (const text of createInterface({ input: stdout })) {
        const entry = JSON.parse(text) as { line?: number; droppedLines?: number };
        dropped += entry.droppedLines ?? 0;
        if (entry.line === undefined) continue;
        received++;
        expect(entry.line).toBeGreaterThan(last);
        last = entry.line;
      }
    })();
    stdin.end();
    await reading;
    expect(await exited).toBe(0);
    expect(dropped).toBeGreaterThan(lines / 2);
    expect(received + dropped).toBe(lines + 1);
    expect(last).toBe(lines);
  });

  it('should survive a missing reader in bounded memory', async () => {
    const { stdin, stdout, exited, logged } = run('pipe');
    stdout?.destroy();
    expect((await logged).megabytes).toBeLessThan(maxMegabytes);
    stdin.end();
    expect(await exited).toBe(0);
  });

  it('should survive a full disk in bounded memory', async () => {
    // Linux has a device that is always full. Elsewhere, use a file not opened for writing.
    const full = existsSync('/dev/full') ? openSync('/dev/full', 'w') : openSync(program, 'r');
    const { stdin, exited, logged } = run(full);
    closeSync(full);
    expect((await logged).megabytes).toBeLessThan(maxMegabytes);
    stdin.end();
    expect(await exited).toBe(0);
  });
});
