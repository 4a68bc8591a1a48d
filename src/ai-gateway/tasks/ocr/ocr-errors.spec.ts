import { EngineBusyError, EngineFailedError } from '../../../engines/engine-errors.js';
import { DocumentError, type DocumentProblem, type ReadPage } from '../../../engines/ocr/ocr-engine.js';
import { explainOcrError, noTextFound, pagesFailed } from './ocr-errors.js';

describe('explainOcrError', () => {
  it.each<[DocumentProblem, string, string]>([
    ['too-large', 'payload-too-large', 'document'],
    ['page-out-of-range', 'validation-failed', 'pages'],
    ['unsupported-type', 'unreadable-document', 'document'],
    ['corrupt', 'unreadable-document', 'document'],
    ['encrypted', 'unreadable-document', 'document'],
    ['empty', 'unreadable-document', 'document'],
    ['too-many-pages', 'unreadable-document', 'document'],
    ['too-many-pixels', 'unreadable-document', 'document'],
  ])('should report a document that is %s as %s, naming %s', (problem, code, field) => {
    const explained = explainOcrError(new DocumentError(problem, 'What is wrong.'));
    expect(explained).toMatchObject({ code, fields: [{ field }] });
  });

  it('should report a busy engine with the time to retry, and a broken one', () => {
    expect(explainOcrError(new EngineBusyError(7))).toMatchObject({
      code: 'overloaded',
      headers: { 'retry-after': '7' },
    });
    expect(explainOcrError(new EngineFailedError('no language data'))).toMatchObject({
      code: 'engine-unavailable',
      message: 'The OCR engine has failed. The log has the cause.',
    });
  });

  it('should return other errors unchanged', () => {
    const error = new Error('another');
    expect(explainOcrError(error)).toBe(error);
  });
});

describe('pagesFailed', () => {
  it('should name the first pages and count the others', () => {
    expect(pagesFailed(['Page 0 took too long.'])).toMatchObject({
      code: 'pages-failed',
      status: 422,
      message: 'No page could be read. Page 0 took too long.',
    });
    const failures = Array.from({ length: 1000 }, (_, index) => `Page ${index} took too long.`);
    expect(pagesFailed(failures).message).toMatch(/Page 2 took too long\. And 997 more\.$/);
  });
});

describe('noTextFound', () => {
  const empty: ReadPage = {
    index: 0,
    markdown: '',
    headerEnd: 0,
    footerStart: 0,
    dimensions: { dpi: 200, width: 1, height: 1 },
    words: [],
    images: [],
    confidence: null,
    warning: null,
    languages: [],
  };

  it('should distinguish blank pages from unreadable ones', () => {
    expect(noTextFound([empty])).toMatchObject({
      code: 'no-text-found',
      status: 422,
      message: 'The page is blank. Check the document, or request other pages.',
    });
    expect(noTextFound([empty, empty]).message).toMatch(/^All pages are blank\./);
    const unreadable = noTextFound([empty, { ...empty, warning: 'no_text_found' }]);
    expect(unreadable.message).toMatch(/^No text was found\. Send a sharper scan/);
  });

  it('should name pages that failed', () => {
    const failed = { index: 1, failure: 'Page 2 took too long.' };
    expect(noTextFound([empty, failed]).message).toMatch(/Page 2 took too long\.$/);
  });
});
