import { execFileSync } from 'node:child_process';
import { embeddingsCommand, ocrCommand } from './curl.js';

const origin = 'https://keycard.example.com';

/** What a shell passes on to the program, argument by argument. */
function readArguments(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const env = { KEYCARD_API_KEY: 'the key' };
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', env }).split('\0').slice(0, -1);
}

describe('embeddingsCommand', () => {
  it('should send the texts as they are, whatever they hold', () => {
    const texts = [`Don't "quote" $me`, 'C:\\new\nline'];
    const sent = readArguments(embeddingsCommand({ origin, model: 'a-model', texts })).at(-1) ?? '';
    expect(JSON.parse(sent)).toEqual({ model: 'a-model', input: texts });
  });

  it('should take the key from the environment', () => {
    const command = embeddingsCommand({ origin, model: 'a-model', texts: ['a'] });
    expect(readArguments(command)).toContain('authorization: Bearer the key');
  });
});

describe('ocrCommand', () => {
  it('should name the model and the file', () => {
    expect(readArguments(ocrCommand({ origin, model: 'tesseract', fileName: 'invoice.pdf' }))).toEqual([
      'https://keycard.example.com/v1/ocr',
      '-H',
      'authorization: Bearer the key',
      '--form-string',
      'model=tesseract',
      '-F',
      'file=@invoice.pdf',
    ]);
  });

  it('should quote a file name that curl would take apart', () => {
    const command = ocrCommand({ origin, model: 'tesseract', fileName: `it's; "a\\b".pdf` });
    expect(readArguments(command).at(-1)).toBe(`file=@"it's; \\"a\\\\b\\".pdf"`);
  });
});
