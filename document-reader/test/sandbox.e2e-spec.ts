import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { newReader } from './new-reader.js';
import { findWorkerSandbox, workerUserId } from '../src/worker-sandbox.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../../test/setup/temporary-folder.js';
import type { PryingDocument, PryingReport } from './prying-worker.js';

const isRoot = process.getuid?.() === 0;
const workerUrl = new URL('./prying-worker.js', import.meta.url);
const entryFile = fileURLToPath(workerUrl);

let folder: TemporaryFolder;
let server: Server;
let document: PryingDocument;

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  const secrets = path.join(folder.path, 'secrets');
  await mkdir(secrets, { mode: 0o700 });
  const files = [path.join(folder.path, 'jwt-secret'), path.join(secrets, 'password')];
  for (const file of files) await writeFile(file, 'secret', { mode: 0o600 });
  const socket = path.join(secrets, 'socket');
  server = createServer((connection) => connection.destroy()).listen(socket);
  await once(server, 'listening');
  document = { files, socket, folder: folder.path };
});

afterAll(async () => {
  server.close();
  await folder.remove();
});

describe('A compromised worker', () => {
  it('should not reach its parent or files', async () => {
    const reader = newReader({ workerUrl });
    try {
      const [page] = await reader.read(
        Buffer.from(JSON.stringify(document)),
        { pages: undefined },
        new AbortController().signal,
      );
      if (page === undefined || 'failure' in page) throw new Error('The worker has not reported.');
      const report = JSON.parse(page.markdown) as PryingReport;
      // As the same user, Node's permissions don't prevent these; see docs/security.md.
      expect(report.succeeded).toEqual(isRoot ? [] : ['signal the parent', 'open the socket']);
      expect(report.uid).toBe(isRoot ? workerUserId : process.getuid?.());
      const status = readFileSync(`/proc/${report.pid}/status`, 'utf8');
      expect(status).toMatch(/^NoNewPrivs:\s*1$/m);
      expect(status).toMatch(/^CapPrm:\s*0+$/m);
      if (isRoot) expect(status).toMatch(/^Groups:\s*$/m);
      // The kernel ends it before its parent when memory runs out.
      expect(readFileSync(`/proc/${report.pid}/oom_score_adj`, 'utf8')).toBe('1000\n');
      expect(Number(readFileSync('/proc/self/oom_score_adj', 'utf8'))).toBeLessThan(1000);
    } finally {
      await reader.close();
    }
  });

  it('should be restricted by its user if native code bypasses the permissions of Node', async () => {
    const { command, identity, descriptors } = await findWorkerSandbox(entryFile);
    const [program, ...rest] = command;
    const worker = spawn(program, [...rest, entryFile, JSON.stringify(document)], {
      ...identity,
      cwd: '/',
      env: {},
      stdio: ['ignore', 'pipe', 'inherit', 'ignore', ...descriptors],
    });
    if (worker.stdout === null) throw new Error('The worker has no output.');
    const { succeeded } = (await json(worker.stdout)) as PryingReport;
    const possibleAsSameUser = [
      ...document.files.map((file) => `read ${file}`),
      'read the environment of the parent',
      'read the memory of the parent',
      'signal the parent',
      'open the socket',
    ];
    expect(succeeded).toEqual(isRoot ? [] : possibleAsSameUser);
  });

  it('should not inherit files that were open when its parent started', async () => {
    const secret = openSync(path.join(folder.path, 'jwt-secret'), 'r');
    const script = `import(${JSON.stringify(new URL('./prying-parent.js', import.meta.url).href)})`;
    const stdio = [
      'ignore',
      'pipe',
      'inherit',
      ...Array.from({ length: 47 }, () => 'ignore' as const),
      secret,
    ] as const;
    const parent = spawn(process.execPath, ['-e', script, JSON.stringify(document)], { stdio: [...stdio] });
    closeSync(secret);
    const output: Buffer[] = [];
    parent.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
    await once(parent, 'close');
    const report = JSON.parse(Buffer.concat(output).toString()) as PryingReport;
    expect(report.succeeded).not.toContain('read inherited files');
  });

  it('should not inherit the capabilities that its parent has in an image', async () => {
    const capabilities = '+setuid,+setgid,+kill';
    const user = ['--reuid=12345', '--regid=12345', '--clear-groups', '--no-new-privs'];
    const asInImage = [...user, `--inh-caps=${capabilities}`, `--ambient-caps=${capabilities}`, '--', process.execPath];
    const [program, args] = isRoot ? ['setpriv', asInImage] : [process.execPath, []];
    const script = `import(${JSON.stringify(new URL('./prying-parent.js', import.meta.url).href)})`;
    const { stdout } = await promisify(execFile)(program, [...args, '-e', script, JSON.stringify(document)]);
    const report = JSON.parse(stdout) as PryingReport;
    expect(report.uid).toBe(isRoot ? workerUserId : process.getuid?.());
    expect(report.succeeded).not.toContain('become root');
  });
});

describe('findWorkerSandbox', () => {
  it('should list the protections that the machine does not provide', async () => {
    const { identity, missing } = await findWorkerSandbox(entryFile);
    expect(missing).toHaveLength(identity.uid === undefined ? 1 : 0);
  });

  it('should fall back to the user of the parent if another user cannot read the code', async () => {
    const unreadable = path.join(path.dirname(document.socket), 'main.js');
    await writeFile(unreadable, '');
    const { identity, missing } = await findWorkerSandbox(unreadable);
    expect(identity).toEqual({});
    expect(missing.join()).toMatch(
      isRoot ? /cannot run as user 61000/ : /not allowed to start processes as another user/,
    );
  });
});
