import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import { findChromium } from './setup/find-chromium.js';
import { launchBrowser } from './setup/launch-browser.js';
import { unpackBundledChromium } from './setup/bundled-chromium.js';

describe('findChromium', () => {
  const linux = { platform: 'linux', arch: 'x64', glibc: '2.36' } as const;
  let folder: TemporaryFolder;
  let chosen: string;
  let installed: string;
  let PATH: string;

  async function install(...parts: string[]): Promise<string> {
    const program = path.join(folder.path, ...parts);
    await mkdir(path.dirname(program), { recursive: true });
    await writeFile(program, '#!/bin/sh\n');
    await chmod(program, 0o755);
    return program;
  }

  beforeAll(async () => {
    folder = await makeTemporaryFolder();
    chosen = await install('mine', 'browser');
    await install('second', 'chromium');
    installed = await install('first', 'google-chrome');
    PATH = ['none', 'second', 'first'].map((name) => path.join(folder.path, name)).join(path.delimiter);
  });
  afterAll(() => folder.remove());

  it('should prefer the browser that CHROMIUM_PATH names', async () => {
    const found = await findChromium({ ...linux, env: { CHROMIUM_PATH: chosen, PATH } });
    expect(found).toEqual({ executablePath: chosen });
  });

  it('should prefer the bundled browser to an installed one', async () => {
    expect(await findChromium({ ...linux, env: { PATH } })).toEqual(await unpackBundledChromium());
  });

  it.each([
    ['on other processors', { arch: 'arm64' }],
    ['if glibc is too old', { glibc: '2.31' }],
    ['if the C library is musl', { glibc: undefined }],
    ['in headed mode', { env: { HEADED: '1' } }],
  ] as const)('should prefer an installed Chrome, then Chromium, %s', async (_when, machine) => {
    const env = 'env' in machine ? machine.env : {};
    const find = (folders: string) => findChromium({ ...linux, ...machine, env: { ...env, PATH: folders } });
    expect(await find(PATH)).toEqual({ executablePath: installed });
    const second = path.join(folder.path, 'second');
    expect(await find(second)).toEqual({ executablePath: path.join(second, 'chromium') });
  });

  it.each([
    ['a missing file', 'missing/browser'],
    ['a folder', 'mine'],
    ['a file that is not executable', 'mine/notes.txt'],
  ])('should throw if CHROMIUM_PATH names %s', async (_kind, name) => {
    await writeFile(path.join(folder.path, 'mine', 'notes.txt'), '');
    const file = path.join(folder.path, name);
    await expect(findChromium({ ...linux, env: { CHROMIUM_PATH: file, PATH } })).rejects.toThrow(
      `CHROMIUM_PATH is ${file}, which isn't an executable file.`,
    );
  });

  it('should explain how to provide a browser if there is none', async () => {
    await expect(findChromium({ ...linux, arch: 'arm64', env: {} })).rejects.toThrow(
      'The browser tests need Chrome or Chromium: install it, or set CHROMIUM_PATH to its executable.',
    );
  });
});

const describeOnLinux = process.platform === 'linux' && process.arch === 'x64' ? describe : describe.skip;

describeOnLinux('The bundled Chromium', () => {
  it('should be unpacked once by concurrent workers', async () => {
    const cache = await makeTemporaryFolder();
    try {
      const [one, other] = await Promise.all([unpackBundledChromium(cache.path), unpackBundledChromium(cache.path)]);
      expect(one).toEqual(other);
      expect(await readdir(cache.path)).toEqual([path.basename(path.dirname(one.executablePath))]);
      const browser = await launchBrowser(one);
      await browser.close();
    } finally {
      await cache.remove();
    }
  });

  it('should render text with its own fonts', async () => {
    const browser = await launchBrowser(await unpackBundledChromium());
    try {
      const page = await browser.newPage();
      await page.setContent('<h1 style="display: inline-block">Keycard</h1>');
      expect((await page.locator('h1').boundingBox())?.width).toBeGreaterThan(50);
      const { channels } = await sharp(await page.screenshot()).stats();
      expect(channels.map(({ min, max }) => max - min)).toEqual([255, 255, 255, 0].slice(0, channels.length));
    } finally {
      await browser.close();
    }
  });
});
