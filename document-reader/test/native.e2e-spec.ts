import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import type { DocumentReader, DocumentReaderOptions } from '../src/document-reader.js';
import { ReaderFailedError } from '../src/errors.js';
import { findNativeTesseract } from '../src/native/find-program.js';
import { newReader } from './new-reader.js';
import { wordRecall } from './documents/compare-text.js';
import { drawImage, drawTextImage } from './documents/draw-image.js';
import { drawPdfWithPicture } from './documents/draw-pdf.js';
import { englishProse, germanProse } from './documents/texts.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../../test/setup/temporary-folder.js';
import { waitFor } from '../../test/setup/wait-for.js';

type ReaderOptions = Partial<DocumentReaderOptions<void>>;

const { program, problem } = findNativeTesseract();
const [first = '', second = ''] = englishProse.split('\n\n');
const [german = ''] = germanProse.split('\n\n');
const rows = [
  ['Item', 'Price'],
  ['Wire', '12.50'],
  ['Box', '3.75'],
];
const small = { size: [420, 170] } as const;

/** Temporary files of the readers. */
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
async function read(reader: DocumentReader, document: Buffer, signal = new AbortController().signal) {
  const pages = await reader.read(document, { pages: undefined }, signal);
  return pages.map((page) => ('failure' in page ? page.failure : page.markdown));
}

const drawBlank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'white' } })
    .png()
    .toBuffer();

const temporaryFolders = async () =>
  (await readdir(folder.path)).filter((name) => name.startsWith('keycard-tesseract-'));

(program === undefined ? describe.skip : describe)(
  `DocumentReader with the native program (${problem ?? 'installed'})`,
  () => {
    const bundled = newReader({ languages: 'auto' });
    const native = newReader({ languages: 'auto', nativeProgram: program });
    afterAll(() => Promise.all([bundled.close(), native.close()]));

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
        const outcomes = await Promise.allSettled([bundled, native].map((reader) => read(reader, document)));
        expect(outcomes[1]).toEqual(outcomes[0]);
      }
      await expect(read(native, image)).resolves.toEqual([expect.stringContaining('supply boat')]);
    });
  },
);

/** What the program does after it has loaded its data and the first image. */
const behaviors = {
  hang: 'exec sleep 600',
  crash: 'kill -9 $$',
  flood: 'exec yes',
  grow: 'exec tail /dev/zero',
};

describe('DocumentReader with a native program that fails', () => {
  let document: Buffer;
  beforeAll(async () => {
    document = await drawTextImage('Out of order', { size: [120, 60] });
  });

  /** Creates a reader whose program is a shell script, and returns a function that reads its process id. */
  async function createReader(script: string, options: ReaderOptions = {}) {
    const name = path.join(folder.path, randomUUID());
    const pidFile = `${name}.pid`;
    await writeFile(pidFile, '');
    await chmod(pidFile, 0o666);
    await writeFile(name, `#!/bin/sh\necho $$ >${pidFile}\n${script}\n`);
    await chmod(name, 0o755);
    const reader = newReader({ nativeProgram: name, ...options });
    const pid = async () => Number(await readFile(pidFile, 'utf8'));
    return { reader, pid };
  }

  const loaded = "printf 'level\\tpage_num\\n1\\t1\\t0\\n'; read blank; read image";
  const crashed = 'Page 1 could not be read: the OCR worker crashed.';

  it.each<[keyof typeof behaviors, string, ReaderOptions]>([
    ['hang', 'Page 1 took longer than 5 s to read.', { pageTimeoutSeconds: 5 }],
    ['crash', crashed, {}],
    ['flood', crashed, {}],
    ['grow', 'Page 1 requires more than 300 MB of memory.', { workerMemoryBytes: 300 * 1024 * 1024 }],
  ])(
    'should fail only the page if it starts to %s, and leave no process behind',
    async (behavior, failure, options) => {
      const { reader, pid } = await createReader(`${loaded}; ${behaviors[behavior]}`, options);
      await expect(read(reader, document)).resolves.toEqual([failure]);
      await waitFor(async () => !existsSync(`/proc/${await pid()}`));
      await reader.close();
      await expect(temporaryFolders()).resolves.toEqual([]);
    },
  );

  it('should end the program when the client disconnects', async () => {
    const { reader, pid } = await createReader(`${loaded}; ${behaviors.hang}`, { graceSeconds: 0 });
    const controller = new AbortController();
    const aborted = read(reader, document, controller.signal);
    await waitFor(async () => (await pid()) > 0);
    controller.abort(new Error('disconnected'));
    await expect(aborted).rejects.toThrow('disconnected');
    await waitFor(async () => !existsSync(`/proc/${await pid()}`));
    await reader.close();
  });

  it('should fail without what the program prints if it cannot start', async () => {
    const { reader } = await createReader('echo /secret/path >&2; exit 1');
    const failure = await read(reader, document).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ReaderFailedError);
    expect(String(failure)).not.toContain('/secret/path');
    await reader.close();
  });
});
