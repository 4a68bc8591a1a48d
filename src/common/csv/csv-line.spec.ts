import fc from 'fast-check';
import { csvLine } from './csv-line.js';

/** The cells of one line, read by the letter of RFC 4180. */
function readLine(line: string): string[] {
  const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",\r\n]*))(?=,|\r\n$)/g)];
  return cells.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}

describe('csvLine', () => {
  it('should quote every cell, double its quotes, and end with CR and LF', () => {
    expect(csvLine(['a', 'b "c", d', 'e\r\nf', ''])).toBe('"a","b ""c"", d","e\r\nf",""\r\n');
  });

  it('should leave the cell of what is not there empty', () => {
    expect(csvLine([null, 'a', null])).toBe(',"a",\r\n');
  });

  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(1)',
    '\t=1+1',
    '\r=1+1',
    '\n=1+1',
    '＝1+1',
    '＋1',
    '－1',
    '＠SUM(1)',
    '="x"&cmd|\' /C calc\'!A0',
  ])('should put an apostrophe before %j', (value) => {
    expect(readLine(csvLine([value]))).toEqual([`'${value}`]);
  });

  it('should yield cells that begin with nothing dangerous, and that give back what was written', () => {
    const startsBadly = fc
      .tuple(fc.constantFrom(..."='+-@\t\r\n＝", ''), fc.string({ unit: 'grapheme' }))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(startsBadly, { minLength: 1 }), (values) => {
        const cells = readLine(csvLine(values));
        for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
        expect(cells.map((cell) => cell.replace(/^'/, ''))).toEqual(values);
      }),
    );
  });
});
