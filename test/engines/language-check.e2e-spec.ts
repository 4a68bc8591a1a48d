import { LanguageCheck } from '../../src/engines/embeddings/languages/language-check.js';

const never = new AbortController().signal;
const german = 'Die Rechnung wurde noch nicht bezahlt.';
const english = 'The invoice has not been paid yet.';

describe('LanguageCheck', () => {
  let check: LanguageCheck;
  beforeEach(() => {
    check = new LanguageCheck();
  });
  afterEach(() => check.onApplicationShutdown());

  it('should return its own result to each of many concurrent requests', async () => {
    const requests = Array.from({ length: 100 }, (_, index) => (index % 3 === 0 ? german : english));
    const results = await Promise.all(requests.map((text) => check.findOtherLanguage([text], ['en'], never)));
    expect(results).toEqual(requests.map((text) => text === german));
  });

  it('should find the last of 2,048 texts, and only read the beginning of each', async () => {
    const texts = Array<string>(2047).fill(`${english} `.repeat(10) + german.repeat(100));
    expect(await check.findOtherLanguage(texts, ['en'], never)).toBe(false);
    expect(await check.findOtherLanguage([...texts, german], ['en'], never)).toBe(true);
  });

  it('should count a failed check as no other language', async () => {
    await check.onApplicationShutdown();
    expect(await check.findOtherLanguage([german], ['en'], never)).toBe(false);
  });

  it('should end when the client disconnects', async () => {
    expect(await check.findOtherLanguage([german], ['en'], AbortSignal.abort())).toBe(false);
  });
});
