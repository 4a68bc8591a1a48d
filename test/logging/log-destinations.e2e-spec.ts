import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { readFile, stat, truncate } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { makeTemporaryFolder } from '../setup/temporary-folder.js';
import { waitFor } from '../setup/wait-for.js';

const program = fileURLToPath(new URL('./busy-logger.js', import.meta.url));
const lines = 100_000;
/** The lines total 200 MB; a process without any uses about 70 MB. */
const maxMegabytes = 180;

const children: ChildProcess[] = [];
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

const node = [process.execPath];
/** Node with a limit of 64 or 128 KiB for files, depending on the shell. Writing more fails as on a full disk. */
const nodeWithFileLimit = ['sh', '-c', 'ulimit -f 128 && exec "$0" "$@"', process.execPath];

function run(destination: 'pipe' | number, { command = node, flushMilliseconds = 10_000 } = {}) {
  const [file = '', ...words] = [...command, program, String(lines), String(flushMilliseconds)];
  const child = spawn(file, words, { stdio: ['pipe', destination, 'pipe'] });
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
    for await (const text of createInterface({ input: stdout })) {
      const entry = JSON.parse(text) as { line?: number; droppedLines?: number };
      dropped += entry.droppedLines ?? 0;
      // There is room for the last line once the report was written.
      if (entry.droppedLines !== undefined) stdin.end();
      if (entry.line === undefined) continue;
      received++;
      expect(entry.line).toBeGreaterThan(last);
      last = entry.line;
    }
    expect(await exited).toBe(0);
    expect(dropped).toBeGreaterThan(lines / 2);
    expect(received + dropped).toBe(lines + 1);
    expect(last).toBe(lines);
  });

  it('should not keep the process from exiting while it is stalled', async () => {
    const { stdin, exited, logged } = run('pipe', { flushMilliseconds: 1 });
    await logged;
    stdin.end();
    expect(await exited).toBe(0);
  });

  // Opens a terminal for a command. Nothing reads the terminal once the pipe of `script` is full.
  const script = '/usr/bin/script';
  const hasTerminal = process.platform === 'linux' && existsSync(script);
  (hasTerminal ? it : it.skip)('should not stop the process while a terminal is stalled', async () => {
    const folder = await makeTemporaryFolder();
    const memory = path.join(folder.path, 'memory');
    const command = `'${process.execPath}' '${program}' ${lines} 2> '${memory}'`;
    const child = spawn(script, ['-qc', command, '/dev/null'], { stdio: 'pipe' });
    children.push(child);
    const readMemory = async () => (await readFile(memory, 'utf8').catch(() => '')).trim();
    await waitFor(async () => (await readMemory()) !== '');
    const { megabytes } = JSON.parse(await readMemory()) as { megabytes: number };
    expect(megabytes).toBeLessThan(maxMegabytes);
    await folder.remove();
  });

  it('should continue on a new line once a full disk has space again', async () => {
    const folder = await makeTemporaryFolder();
    const log = path.join(folder.path, 'log');
    const file = openSync(log, 'a');
    const { stdin, exited, logged } = run(file, { command: nodeWithFileLimit });
    closeSync(file);
    await logged;
    const { size: fullBytes } = await stat(log);
    let knownBytes = 0;
    // Makes space until nothing more is written. A torn line is left each time.
    await waitFor(async () => {
      const { size } = await stat(log);
      if (size >= fullBytes) await truncate(log, 1);
      const isComplete = size > 1 && size < fullBytes && size === knownBytes;
      knownBytes = size;
      return isComplete;
    });
    stdin.end();
    expect(await exited).toBe(0);
    const [, ...complete] = (await readFile(log, 'utf8')).trimEnd().split('\n');
    await folder.remove();
    const entries = complete.map((text) => JSON.parse(text) as { line?: number; droppedLines?: number });
    expect(Math.max(...entries.map(({ droppedLines = 0 }) => droppedLines))).toBeGreaterThan(lines / 2);
    expect(entries.at(-1)?.line).toBe(lines);
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
