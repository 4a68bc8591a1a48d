import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DataFolderError, MissingLanguageError } from '../src/errors.js';
import type { ReadPage } from '../src/read-page.js';
import { LanguageData } from '../src/language-data.js';
import { newReader } from './new-reader.js';
import { wordRecall } from './documents/compare-text.js';
import { drawImage, drawTextImage } from './documents/draw-image.js';
import { type DrawnPage, drawPdfWithPicture, drawScannedPdf } from './documents/draw-pdf.js';
import { greekProse, textsByLanguage } from './documents/texts.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../../test/setup/temporary-folder.js';

const detectingReader = newReader({ languages: 'auto' });
const small = { size: [420, 170] as const };
const firstParagraph = (language: keyof typeof textsByLanguage) => textsByLanguage[language].split('\n\n')[0] ?? '';
/** The first two sentences, for tests that don't need more. */
const sample = (language: keyof typeof textsByLanguage) =>
  firstParagraph(language)
    .split(/(?<=[.?;]) /)
    .slice(0, 2)
    .join(' ');
const shortGerman = 'Grüße, Müller';
const [greek = ''] = greekProse.split('\n\n');
const greekPage: DrawnPage = { passages: [greek], font: 'Liberation Sans' };

async function read(document: Buffer, languages?: readonly string[], reader = detectingReader): Promise<ReadPage[]> {
  const options = { pages: undefined, ...(languages !== undefined && { languages }) };
  const pages = await reader.read(document, options, new AbortController().signal);
  return pages.map((page) => {
    if ('failure' in page) throw new Error(page.failure);
    return page;
  });
}

describe('DocumentReader with automatic languages', () => {
  afterAll(() => detectingReader.close());

  it.each(['eng', 'deu', 'fra', 'spa', 'ita', 'por', 'nld'] as const)(
    'should detect %s, and read it with its data',
    async (language) => {
      const text = firstParagraph(language);
      const [page] = await read(await drawTextImage(text, { size: [420, 230] }));
      expect(page?.languages).toEqual([language]);
      expect(wordRecall(text, page?.markdown ?? '')).toBeGreaterThanOrEqual(0.98);
    },
  );

  it.each(['fra', 'por'] as const)('should read English and %s on a page', async (language) => {
    const passages = [sample('eng'), sample(language)];
    const [page] = await read(await drawImage({ passages }, { size: [420, 230] }));
    expect(wordRecall(passages.join(' '), page?.markdown ?? '')).toBeGreaterThanOrEqual(0.98);
  });

  it('should expect the language of the previous page, even for a few words', async () => {
    const german = await drawTextImage(sample('deu'), small);
    const short = await drawTextImage(shortGerman, small);
    const pages = await read(await drawScannedPdf([german, short], { size: small.size }));
    expect(pages[1]).toMatchObject({ markdown: shortGerman, languages: ['deu'] });
  });

  it('should read each page of a document in its own script', async () => {
    const english = await drawTextImage(sample('eng'), small);
    const scans = [english, await drawImage(greekPage, small), english];
    const pages = await read(await drawScannedPdf(scans, { size: small.size }));
    expect(pages.map(({ languages }) => languages)).toEqual([['eng'], ['ell'], ['eng']]);
    expect(wordRecall(greek, pages[1]?.markdown ?? '')).toBeGreaterThanOrEqual(0.95);
    expect(wordRecall(sample('eng'), pages[2]?.markdown ?? '')).toBeGreaterThanOrEqual(0.98);
  });

  it('should read two scripts on a page', async () => {
    const passages = [sample('eng'), greek];
    const [page] = await read(await drawImage({ passages, font: 'Liberation Sans' }, { size: [420, 230] }));
    expect(wordRecall(passages.join(' '), page?.markdown ?? '')).toBeGreaterThanOrEqual(0.98);
  });

  it('should read an upside-down page in another script', async () => {
    const [page] = await read(await drawImage(greekPage, { ...small, degrees: 180 }));
    expect(wordRecall(greek, page?.markdown ?? '')).toBeGreaterThanOrEqual(0.95);
  });

  it('should expect the language of the text layer in pictures', async () => {
    const image = await drawTextImage(shortGerman, { dpi: 300, size: [420, 180] });
    const [page] = await read(await drawPdfWithPicture(sample('deu'), { image }, ''));
    expect(page).toMatchObject({ markdown: expect.stringContaining(shortGerman) as string, languages: ['deu'] });
  });

  it('should read only with the requested languages', async () => {
    const german = await drawTextImage(sample('deu'), small);
    const [page] = await read(german, ['fra', 'eng']);
    expect(page?.languages).not.toContain('deu');
  });
});

describe('DocumentReader with a folder of language data', () => {
  let folder: TemporaryFolder;
  beforeAll(async () => (folder = await makeTemporaryFolder()));
  afterAll(() => folder.remove());

  it('should read with data in the folder', async () => {
    // Data of modern Greek under the name of ancient Greek, which no package has installed.
    await writeFile(path.join(folder.path, 'grc.traineddata'), new LanguageData().read('ell'));
    await writeFile(path.join(folder.path, 'osd.traineddata'), '');
    const dataFolder = folder.path;
    const reader = newReader({ languages: ['grc'], dataFolder });
    try {
      expect(reader.languages).toEqual(['deu', 'ell', 'eng', 'fra', 'grc', 'ita', 'nld', 'por', 'spa']);
      const [page] = await read(await drawImage(greekPage, small), undefined, reader);
      expect(page?.languages).toEqual(['grc']);
      expect(wordRecall(greek, page?.markdown ?? '')).toBeGreaterThanOrEqual(0.95);
    } finally {
      await reader.close();
    }
  });

  it('should not be created if the folder is missing', () => {
    const create = () => newReader({ languages: 'auto', dataFolder: path.join(folder.path, 'missing') });
    expect(create).toThrow(DataFolderError);
  });
});

describe('DocumentReader with languages', () => {
  it('should name the package to install for one without data', () => {
    const create = () => newReader({ languages: ['eng', 'tlh'] });
    expect(create).toThrow(MissingLanguageError);
    expect(create).toThrow(/@tesseract\.js-data\/tlh/);
  });
});
