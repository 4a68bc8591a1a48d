import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { drawTextImage } from '../../../document-reader/test/documents/draw-image.js';
import { call } from '../../setup/call.js';
import { findPort } from '../../setup/reverse-proxies.js';
import { createKey } from '../create-key.js';
import { runProgram, type ServiceProcess } from '../service-process.js';
import { argumentsOf } from './read-dockerfile.js';
import { programOf, type ReplayedImage, replayImage, startOf } from './replay-image.js';

const run = promisify(execFile);
const password = 'correct horse battery';

let folder: string;
let image: ReplayedImage;
let service: ServiceProcess | undefined;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'keycard-image-'));
  // The service runs as another user there.
  chmodSync(folder, 0o755);
  image = replayImage(folder);
  for (const line of image.skipped) process.stderr.write(`Not replayed: ${line}\n`);
  environment = { PORT: String(await findPort()), DRAIN_SECONDS: '0', ADMIN_PASSWORD: password };
  service = start();
  await service.ready;
}, 600_000);
afterAll(async () => {
  service?.child.kill('SIGTERM');
  await service?.exited;
  rmSync(folder, { recursive: true, force: true });
});

function start(): ServiceProcess {
  const { command, cwd, environment: variables } = programOf(image, startOf(image), environment);
  return runProgram(command[0] ?? '', command.slice(1), variables, cwd);
}

/** Runs a program in the running image, like `docker exec`. */
function execute(argv: string[]) {
  const { command, cwd, environment: variables } = programOf(image, argv, environment);
  return run(command[0] ?? '', command.slice(1), { cwd, env: variables });
}

const modules = () => path.join(image.root, 'app/node_modules');

describe('The image', () => {
  it('should contain neither a compiler nor type declarations nor libraries for other platforms', () => {
    const files = readdirSync(modules(), { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => /^typescript$|\.d\.ts$/.test(file))).toEqual([]);
    const libraries = files
      .filter((file) => /^onnxruntime-node\/bin\/.*\.node$/.test(file))
      .map((file) => path.dirname(file));
    expect(libraries).toEqual([expect.stringMatching(new RegExp(`/${process.platform}/${process.arch}$`))]);
  });

  it('should be healthy', async () => {
    await expect(execute(argumentsOf(image.stage, 'HEALTHCHECK'))).resolves.toMatchObject({ stderr: '' });
  });

  it('should compute embeddings and read documents', async () => {
    const url = `http://127.0.0.1:${environment['PORT']}`;
    const token = await createKey(url, password);
    const texts = { model: 'universal-sentence-encoder-lite', input: 'A text' };
    expect((await call(url, 'POST /v1/embeddings', { token, body: texts })).status).toBe(200);
    const picture = await drawTextImage('A page of text', { size: [240, 120] });
    const document = { type: 'image_url', image_url: `data:image/png;base64,${picture.toString('base64')}` };
    const read = await call(url, 'POST /v1/ocr', { token, body: { model: 'tesseract', document } });
    expect([read.status, read.text]).toEqual([200, expect.stringContaining('A page of text')]);
  });

  it('should run admin commands', async () => {
    const admin = (...words: string[]) => execute(['npm', 'run', '--silent', 'admin', '--', ...words]);
    expect((await admin('list-accounts')).stdout).toContain('admin@keycard.local');
    expect((await admin('migrate', '--list')).stdout).toMatch(/^(applied {2}\w+\n)+$/);
  });

  it('should start again after it was stopped', async () => {
    service?.child.kill('SIGTERM');
    expect(await service?.exited).toBe(0);
    service = start();
    await service.ready;
  });
});
