import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { EngineFailedError } from '../../src/engines/engine-errors.js';
import { Engines } from '../../src/engines/engines.module.js';
import type { OcrEngine } from '../../src/engines/ocr/ocr-engine.js';
import { findNativeTesseract } from '../../src/engines/ocr/tesseract/native/find-program.js';
import { TesseractEngine, type TesseractOptions } from '../../src/engines/ocr/tesseract/tesseract.engine.js';
import { wordRecall } from '../documents/compare-text.js';
import { drawImage, drawTextImage } from '../documents/draw-image.js';
import { drawPdfWithPicture } from '../documents/draw-pdf.js';
import { englishProse, germanProse } from '../documents/texts.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import { waitFor } from '../setup/wait-for.js';

const { program, problem } = findNativeTesseract();
const [first = '', second = ''] = englishProse.split('\n\n');
const [german = ''] = germanProse.split('\n\n');
const rows = [
  ['Item', 'Price'],
  ['Wire', '12.50'],
  ['Box', '3.75'],
];
const small = { size: [420, 170] } as const;

/** Temporary files of the engines. */
let folder: TemporaryFolder;
const { TMPDIR } = process.env;
beforeAll(async () => {
  folder = await makeTemporaryFolder();
  process.env['TMPDIR'] = folder.path;
});
afterAll(async () => {
  if (TMPDIR === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = TMPDIR;
  await folder.remove();
});

/** Returns the Markdown of each page, or its failure. */
async function read(engine: OcrEngine, document: Buffer, signal = new AbortController().signal) {
  const pages = await engine.read(document, { pages: undefined }, signal);
  return pages.map((page) => ('failure' in page ? page.failure : page.markdown));
}

const drawBlank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'white' } })
    .png()
    .toBuffer();

const temporaryFolders = async () =>
  (await readdir(folder.path)).filter((name) => name.startsWith('keycard-tesseract-'));

(program === undefined ? describe.skip : describe)(`The engine tesseract-native (${problem ?? 'installed'})`, () => {
  const engines = new Engines();
  let bundled: OcrEngine;
  let native: OcrEngine;
  beforeAll(() => {
    bundled = engineOf('tesseract');
    native = engineOf('tesseract-native');
  });
  afterAll(() => engines.onApplicationShutdown());

  function engineOf(name: 'tesseract' | 'tesseract-native'): OcrEngine {
    const model = engines.get({ engine: name, languages: 'auto' }, { ocrWorkerMemoryMb: 1024 });
    if (model.task !== 'ocr') throw new Error('The engine has another task.');
    return model.servedBy.engine;
  }

  it.each<[string, string, () => Promise<Buffer>]>([
    ['noisy prose on its side', second, () => drawTextImage(second, { ...small, noise: 25, degrees: 90 })],
    ['a skewed and faded page', first, () => drawTextImage(first, { ...small, degrees: 7, contrast: 60 })],
    ['a page in another language', german, () => drawTextImage(german, small)],
    ['a table', rows.flat().join(' '), () => drawImage({ passages: [{ rows }] }, { size: [300, 150] })],
    [
      'a picture on a page with text',
      first,
      async () => drawPdfWithPicture(first, { image: await drawTextImage(second, small) }, 'The end'),
    ],
  ])('should read the same words as the bundled one from %s', async (_, text, draw) => {
    const document = await draw();
    const [[expected], [found]] = await Promise.all([read(bundled, document), read(native, document)]);
    expect(wordRecall(text, found ?? '')).toBeGreaterThan(0.95);
    const [words, foundWords] = [expected, found].map((markdown = '') => markdown.replaceAll(/[|#-]/g, ' '));
    expect(wordRecall(words ?? '', foundWords ?? '')).toBeGreaterThanOrEqual(0.995);
    expect(wordRecall(foundWords ?? '', words ?? '')).toBeGreaterThanOrEqual(0.995);
  });

  it('should handle damaged and unusual images like the bundled one', async () => {
    const image = await drawTextImage(second, small);
    const documents = [image.subarray(0, image.length / 2), await drawBlank(1, 1), await drawBlank(33_000, 40)];
    for (const document of documents) {
      const outcomes = await Promise.allSettled([bundled, native].map((engine) => read(engine, document)));
      expect(outcomes[1]).toEqual(outcomes[0]);
    }
    await expect(read(native, image)).resolves.toEqual([expect.stringContaining('supply boat')]);
  });
});

/** What the program does after it has loaded its data and the first image. */
const behaviors = {
  hang: 'exec sleep 600',
  crash: 'kill -9 $$',
  flood: 'exec yes',
  grow: 'exec tail /dev/zero',
};

describe('TesseractEngine with a native program that fails', () => {
  let document: Buffer;
  beforeAll(async () => {
    document = await drawTextImage('Out of order', { size: [120, 60] });
  });

  /** Creates an engine whose program is a shell script, and returns a function that reads its process id. */
  async function createEngine(script: string, options: Partial<TesseractOptions> = {}) {
    const name = path.join(folder.path, randomUUID());
    const pidFile = `${name}.pid`;
    await writeFile(pidFile, '');
    await chmod(pidFile, 0o666);
    await writeFile(name, `#!/bin/sh\necho $$ >${pidFile}\n${script}\n`);
    await chmod(name, 0o755);
    const engine = new TesseractEngine({ languages: ['eng'], workers: 1, nativeProgram: name, ...options });
    const pid = async () => Number(await readFile(pidFile, 'utf8'));
    return { engine, pid };
  }

  const loaded = "printf 'level\\tpage_num\\n1\\t1\\t0\\n'; read blank; read image";
  const crashed = 'Page 1 could not be read: the OCR worker crashed.';

  it.each<[keyof typeof behaviors, string, Partial<TesseractOptions>]>([
    ['hang', 'Page 1 took longer than 5 s to read.', { pageTimeoutSeconds: 5 }],
    ['crash', crashed, {}],
    ['flood', crashed, {}],
    ['grow', 'Page 1 requires more than 300 MB of memory.', { workerMemoryBytes: 300 * 1024 * 1024 }],
  ])(
    'should fail only the page if it starts to %s, and leave no process behind',
    async (behavior, failure, options) => {
      const { engine, pid } = await createEngine(`${loaded}; ${behaviors[behavior]}`, options);
      await expect(read(engine, document)).resolves.toEqual([failure]);
      await waitFor(async () => !existsSync(`/proc/${await pid()}`));
      await engine.close();
      await expect(temporaryFolders()).resolves.toEqual([]);
    },
  );

  it('should end the program when the client disconnects', async () => {
    const { engine, pid } = await createEngine(`${loaded}; ${behaviors.hang}`, { graceSeconds: 0 });
    const controller = new AbortController();
    const aborted = read(engine, document, controller.signal);
    await waitFor(async () => (await pid()) > 0);
    controller.abort(new Error('disconnected'));
    await expect(aborted).rejects.toThrow('disconnected');
    await waitFor(async () => !existsSync(`/proc/${await pid()}`));
    await engine.close();
  });

  it('should fail without what the program prints if it cannot start', async () => {
    const { engine } = await createEngine('echo /secret/path >&2; exit 1');
    const failure = await read(engine, document).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EngineFailedError);
    expect(String(failure)).not.toContain('/secret/path');
    expect(engine.state()).toBe('failed');
    await engine.close();
  });
});
