import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { embeddingsCommand, ocrCommand } from './curl.js';

const origin = 'https://keycard.example.com';

/** Runs the command in a shell and returns the arguments that curl receives. */
function readArguments(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const env = { KEYCARD_API_KEY: 'the key' };
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', env }).split('\0').slice(0, -1);
}

describe('embeddingsCommand', () => {
  it('should preserve special characters in texts', () => {
    const texts = [`Don't "quote" $me`, 'C:\\new\nline'];
    const sent = readArguments(embeddingsCommand({ origin, model: 'a-model', texts })).at(-1) ?? '';
    expect(JSON.parse(sent)).toEqual({ model: 'a-model', input: texts });
  });

  it('should read the key from the environment', () => {
    const command = embeddingsCommand({ origin, model: 'a-model', texts: ['a'] });
    expect(readArguments(command)).toContain('Authorization: Bearer the key');
  });
});

describe('ocrCommand', () => {
  /** Runs the command with a file of this name and returns the request body. */
  async function readBody(model: string, file: { name: string; type: string }, content: Buffer): Promise<unknown> {
    const folder = await mkdtemp(path.join(tmpdir(), 'keycard-curl-'));
    await writeFile(path.join(folder, file.name), content);
    // `curl -d @-` strips line breaks, too.
    const script = `curl() { tr -d '\\n'; }\n${ocrCommand({ origin, model, file })}`;
    const body = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', cwd: folder });
    await rm(folder, { recursive: true });
    return JSON.parse(body);
  }

  const content = Buffer.from('a document whose base64 is longer than a line '.repeat(3));
  const base64 = content.toString('base64');

  it('should read the key from the environment', () => {
    const command = ocrCommand({ origin, model: 'tesseract', file: { name: '/dev/null', type: 'application/pdf' } });
    expect(readArguments(command)).toEqual([
      'https://keycard.example.com/v1/ocr',
      '-H',
      'Authorization: Bearer the key',
      '-H',
      'Content-Type: application/json',
      '-d',
      '@-',
    ]);
  });

  it('should preserve special characters in the name of a PDF', async () => {
    const file = { name: `it's; "a\\b" $(id).pdf`, type: 'application/pdf' };
    expect(await readBody('tesseract', file, content)).toEqual({
      model: 'tesseract',
      document: { type: 'document_url', document_url: `data:application/pdf;base64,${base64}` },
    });
  });

  it('should send an image and preserve special characters in the model', async () => {
    const model = '$HOME `id` "quoted" C:\\model';
    expect(await readBody(model, { name: 'scan.png', type: 'image/png' }, content)).toEqual({
      model,
      document: { type: 'image_url', image_url: `data:image/png;base64,${base64}` },
    });
  });
});
