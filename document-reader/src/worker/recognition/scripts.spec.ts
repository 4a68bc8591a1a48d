import type { TextLine } from '../../page.js';
import type { Raster } from '../image/raster.js';
import { detectScript, scriptOf } from './scripts.js';

const image: Raster = { pixels: Buffer.alloc(400 * 300, 255), width: 400, height: 300, dpi: 200 };
const candidates = ['eng', 'deu', 'ell', 'rus', 'ukr', 'tha'];

/** Lines of words, one below the other. */
const lines = (confidence: number, ...texts: string[]): TextLine[] =>
  texts.map((text, row) =>
    text.split(' ').map((word, column) => ({
      text: word,
      confidence,
      box: { left: 40 * column, top: 30 * row, right: 40 * column + 35, bottom: 30 * row + 20 },
    })),
  );

/** Returns the given lines for each language, and notes the language and image of each reading. */
function readings(byLanguage: Readonly<Record<string, readonly TextLine[]>>) {
  const read: string[] = [];
  const samples: Raster[] = [];
  return {
    read,
    samples,
    readSample: (sample: Raster, language: string) => {
      read.push(language);
      samples.push(sample);
      return byLanguage[language] ?? lines(0.3, 'ЖЖЖЖ');
    },
  };
}

const legible = lines(0.96, 'The lighthouse keeper', 'wrote every evening');
const garbage = lines(0.35, 'Cmotputenb Maaka', 'mucan kaxkablii');
const page = { image, language: 'eng', lines: garbage };

describe('detectScript', () => {
  it('should read nothing else for a page that was read well', async () => {
    const { read, readSample } = readings({ rus: lines(0.96, 'Смотритель') });
    await expect(detectScript({ ...page, lines: legible }, candidates, readSample)).resolves.toBeUndefined();
    expect(read).toEqual([]);
  });

  it('should read a sample with the data of each other script', async () => {
    const { read, samples, readSample } = readings({ ell: lines(0.94, 'φαροφύλακας') });
    await expect(detectScript(page, candidates, readSample)).resolves.toBe('ell');
    expect(read).toEqual(['ell', 'rus', 'tha']);
    expect(samples[0]?.height).toBe(80);
  });

  it('should choose the most confident language of a script', async () => {
    const { read, readSample } = readings({ rus: lines(0.85, 'Доглядач маяка'), ukr: lines(0.95, 'Доглядач маяка') });
    await expect(detectScript(page, candidates, readSample)).resolves.toBe('ukr');
    expect(read).toEqual(['ell', 'rus', 'tha', 'ukr']);
  });

  it('should find a script that only part of the page is in', async () => {
    const mixed = [...legible, ...lines(0.35, 'Cmotputenb')];
    const { readSample } = readings({ rus: lines(0.96, 'Смотритель') });
    await expect(detectScript({ ...page, lines: mixed }, candidates, readSample)).resolves.toBe('rus');
  });

  it.each([
    ['in Latin letters', lines(0.95, 'Cmotputenb')],
    ['with a low confidence', lines(0.78, 'ผู้ดูแลประภาคาร')],
    ['of a few letters', lines(0.95, 'ผู้ 1234567')],
  ])('should not be convinced by a sample %s', async (_, sample) => {
    await expect(detectScript(page, candidates, readings({ tha: sample }).readSample)).resolves.toBeUndefined();
  });

  it('should detect Latin script after another one with the data of any language', async () => {
    const { read, readSample } = readings({ eng: lines(0.7, 'Der Backer offnete friih') });
    await expect(detectScript({ ...page, language: 'rus' }, candidates, readSample)).resolves.toBe('eng');
    expect(read).toEqual(['eng', 'ell', 'tha']);
  });

  it('should read nothing if there is no data of another script', async () => {
    const { read, readSample } = readings({});
    await expect(detectScript(page, ['eng', 'deu'], readSample)).resolves.toBeUndefined();
    expect(read).toEqual([]);
  });
});

describe('scriptOf', () => {
  it.each([
    ['eng', 'Latn'],
    ['rus', 'Cyrl'],
    ['srp', 'Cyrl'],
    ['srp_latn', 'Latn'],
    ['chi_sim', 'Hans'],
    ['jpn_vert', 'Jpan'],
    ['osd', undefined],
    ['equ', undefined],
  ])('should know the script of %s', (language, script) => {
    expect(scriptOf(language)).toBe(script);
  });
});
