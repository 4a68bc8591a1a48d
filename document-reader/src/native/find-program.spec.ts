import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findNativeTesseract } from './find-program.js';

describe('findNativeTesseract', () => {
  const { PATH } = process.env;
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'keycard-path-'));
    process.env['PATH'] = folder;
  });
  afterEach(() => {
    process.env['PATH'] = PATH;
    rmSync(folder, { recursive: true, force: true });
  });

  function install(script: string): string {
    const file = path.join(folder, 'tesseract');
    writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return file;
  }

  it('should return the path of a program that is new enough', () => {
    const program = install("printf 'tesseract 5.3.0\\n leptonica-1.82.0\\n'");
    expect(findNativeTesseract()).toEqual({ program });
  });

  it('should say what to install if the program is missing', () => {
    const problem =
      'needs the program tesseract, which is not on the PATH; install Tesseract 5 or newer, for example with apt install tesseract-ocr';
    expect(findNativeTesseract()).toEqual({ problem });
  });

  it.each([
    ['is too old', 'echo tesseract 4.1.1', /^needs a newer version than tesseract 4\.1\.1 in /],
    ['fails', 'echo tesseract 5.3.0 >&2; exit 1', /^needs the program tesseract, but \S+ --version fails; /],
    ['is another program', 'echo tessellate 5.0', /^needs the program tesseract, but \S+ --version fails; /],
  ])('should say what to install if the program %s', (_, script, expected) => {
    install(script);
    expect(findNativeTesseract().problem).toMatch(expected);
  });

  it('should ignore files that cannot be executed', () => {
    writeFileSync(path.join(folder, 'tesseract'), '');
    expect(findNativeTesseract().problem).toMatch(/not on the PATH/);
  });
});
