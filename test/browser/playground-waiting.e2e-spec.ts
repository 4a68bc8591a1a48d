import type { Page } from 'playwright-core';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { respondWithJson, startUpstream, type Upstream, upstreamModel } from '../setup/upstream.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { Dashboard } from './setup/dashboard.js';
import type { Visitor } from './setup/visitor.js';

const dashboard = new Dashboard();
let upstream: Upstream;

beforeAll(async () => {
  upstream = await startUpstream();
  const { baseUrl } = upstream;
  const models = [upstreamModel([{ baseUrl }]), upstreamModel([{ baseUrl }], { id: 'reader', task: 'ocr' })];
  await dashboard.start({ config: { models } });
});
afterAll(async () => {
  await dashboard.stop();
  await upstream.stop();
});

async function openPlayground(visitor: Visitor, task: 'embeddings' | 'ocr'): Promise<void> {
  const { page } = visitor;
  const member = await createMember(dashboard.service);
  await visitor.visit(member, `/dashboard/playground?task=${task}`);
  await page.getByRole('textbox', { name: 'API key' }).fill((await createApiKey(dashboard.service, member)).key);
  await page.getByRole('button', { name: 'Use this key' }).click();
  await page.getByText('Using key').waitFor();
}

/** Responds like an OCR server that read these pages. */
function respondWithPages(...texts: string[]): Upstream['respond'] {
  const pages = texts.map((markdown, index) => ({ index, markdown, images: [], dimensions: null }));
  const usage = { pages_processed: texts.length, doc_size_bytes: 1 };
  return (response) =>
    respondWithJson(response, 200, JSON.stringify({ pages, model: 'remote-small', usage_info: usage }));
}

const tryExample = (page: Page) => page.getByRole('button', { name: 'Try an example' }).click();

describe('The playground, while a model is busy,', () => {
  beforeEach(() => {
    upstream.respond = (response) => response.writeHead(503, { 'retry-after': '7' }).end();
  });

  it(
    'should show when to retry a comparison',
    dashboard.test(async (visitor) => {
      visitor.problems.expect(/Response 503: POST .*\/v1\/embeddings/);
      await openPlayground(visitor, 'embeddings');
      await visitor.page.getByRole('button', { name: 'Compare' }).click();
      await expect(visitor.page.getByRole('alert').getByText('Try again in about 7 seconds.')).toBeVisible();
    }),
  );

  it(
    'should show when to retry a document, and read it on retry',
    dashboard.test(async (visitor) => {
      const { page, problems } = visitor;
      problems.expect(/Response 503: POST .*\/v1\/ocr/);
      await openPlayground(visitor, 'ocr');
      await tryExample(page);
      await expect(page.getByRole('alert').getByText('Try again in about 7 seconds.')).toBeVisible();
      upstream.respond = respondWithPages('Lamp oil');
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(page.getByRole('region', { name: 'Text of page 1' }).getByText('Lamp oil')).toBeVisible();
    }),
  );
});

describe('A document with an unknown number of pages', () => {
  it(
    'should show no progress bar until it has been read',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const request = new Promise<Parameters<Upstream['respond']>>((resolve) => {
        upstream.respond = (...exchange) => resolve(exchange);
      });
      await openPlayground(visitor, 'ocr');
      await tryExample(page);
      await expect(page.getByRole('status').getByText('Reading the document…')).toBeVisible();
      await expect(page.getByRole('group', { name: 'Reading page 1' })).toBeVisible();
      expect(await page.getByRole('progressbar').count()).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      respondWithPages('Lamp oil', 'Signal flags')(...(await request));
      await expect(page.getByRole('status').getByText('2 pages read')).toBeVisible();
      expect(await page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('100');
    }),
  );
});
