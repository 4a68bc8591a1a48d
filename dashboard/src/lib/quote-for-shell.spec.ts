import { execFileSync } from 'node:child_process';
import { quoteForShell } from './quote-for-shell.js';

describe('quoteForShell', () => {
  it.each(["it's", 'two words', '$HOME `id` $(id)', 'a\nb', '"double"', '\\', '*', 'é ü 漢', '', 'plain'])(
    'should make a shell read %j unchanged',
    (text) => {
      expect(execFileSync('/bin/sh', ['-c', `printf %s ${quoteForShell(text)}`], { encoding: 'utf8' })).toBe(text);
    },
  );

  it('should not quote plain words', () => {
    expect(quoteForShell('https://keycard.example.com/v1/ocr')).toBe('https://keycard.example.com/v1/ocr');
  });
});
