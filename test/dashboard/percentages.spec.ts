import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = 'dashboard/src';
const lines = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.spec.ts'))
  .flatMap((file) =>
    readFileSync(path.join(folder, file), 'utf8')
      .split('\n')
      .map((text) => ({ file, text })),
  );

describe('A percentage in the dashboard', () => {
  it('should be written by format-numbers.ts, so that all are rounded alike', () => {
    const isStyle = (text: string) => /width=|color-mix/.test(text);
    const written = lines.filter(({ text }) => text.includes('}%') && !isStyle(text));
    expect(new Set(written.map(({ file }) => file))).toEqual(new Set(['lib/format-numbers.ts']));
  });

  it('should have a percent sign without a space before it', () => {
    expect(lines.filter(({ text }) => /[\d}] %|[\d}] ?per ?cent\b/.test(text))).toEqual([]);
  });
});
