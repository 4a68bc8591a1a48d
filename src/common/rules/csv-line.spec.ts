import fc from 'fast-check';
import { csvLine } from './csv-line.js';

/** Parses a line strictly by RFC 4180. */
function readLine(line: string): string[] {
  const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",\r\n]*))(?=,|\r\n$)/g)];
  return cells.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}

describe('csvLine', () => {
  it('should quote cells, double their quotes, and end with CRLF', () => {
    expect(csvLine(['a', 'b "c", d', 'e\r\nf', ''])).toBe('"a","b ""c"", d","e\r\nf",""\r\n');
  });

  it('should write null as an empty cell', () => {
    expect(csvLine([null, 'a', null])).toBe(',"a",\r\n');
  });

  it.each([
    '=1+1',
    '+1',
    '-1+1',
    '-A1',
    '-1.5.2',
    '-1\n',
    '@SUM(1)',
    '\t=1+1',
    '\r=1+1',
    '\n=1+1',
    '＝1+1',
    '＋1',
    '－1',
    '＠SUM(1)',
    '="x"&cmd|\' /C calc\'!A0',
  ])('should prefix %j with an apostrophe', (value) => {
    expect(readLine(csvLine([value]))).toEqual([`'${value}`]);
  });

  it.each(['-1', '-0.000000001'])('should keep the negative number %s, so that spreadsheets add it up', (value) => {
    expect(readLine(csvLine([value]))).toEqual([value]);
  });

  it('should never start a cell with a formula character, and keep the value recoverable', () => {
    const startsBadly = fc
      .tuple(fc.constantFrom(..."='+-@\t\r\n＝", ''), fc.string({ unit: 'grapheme' }))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(startsBadly, { minLength: 1 }), (values) => {
        const cells = readLine(csvLine(values));
        const texts = cells.filter((cell) => !/^-\d+(\.\d+)?$/.test(cell));
        for (const cell of texts) expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
        expect(cells.map((cell) => cell.replace(/^'/, ''))).toEqual(values);
      }),
    );
  });
});
