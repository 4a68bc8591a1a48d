import type { Page } from 'playwright-core';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { respondWithJson, startUpstream, type Upstream, upstreamModel } from '../setup/upstream.js';
import { findBarriers } from './setup/axe.js';
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
  await page.getByText('Using the key').waitFor();
}

/** Answers as a server for OCR that has found these texts, page by page. */
function answerPages(...texts: string[]): Upstream['respond'] {
  const pages = texts.map((markdown, index) => ({ index, markdown, images: [], dimensions: null }));
  const usage = { pages_processed: texts.length, doc_size_bytes: 1 };
  return (response) =>
    respondWithJson(response, 200, JSON.stringify({ pages, model: 'remote-small', usage_info: usage }));
}

const tryExample = (page: Page) => page.getByRole('button', { name: 'Try an example' }).click();

describe('A model that is busy', () => {
  beforeEach(() => {
    upstream.respond = (response) => response.writeHead(503, { 'retry-after': '7' }).end();
  });

  it(
    'should say when it can compare texts again',
    dashboard.test(async (visitor) => {
      visitor.problems.expect(/Answer 503: POST .*\/v1\/embeddings/);
      await openPlayground(visitor, 'embeddings');
      await visitor.page.getByRole('button', { name: 'Compare' }).click();
      await visitor.page.getByRole('alert').getByText('Ready again in about 7 seconds.').waitFor();
    }),
  );

  it(
    'should say when it can read a document again, and read it when it is asked once more',
    dashboard.test(async (visitor) => {
      const { page, problems } = visitor;
      problems.expect(/Answer 503: POST .*\/v1\/ocr/);
      await openPlayground(visitor, 'ocr');
      await tryExample(page);
      await page.getByRole('alert').getByText('Ready again in about 7 seconds.').waitFor();
      upstream.respond = answerPages('Lamp oil');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('region', { name: 'Text of page 1' }).getByText('Lamp oil').waitFor();
    }),
  );
});

describe('A document whose pages only the service can count', () => {
  it(
    'should claim no progress while it is read, and be counted afterwards',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const request = new Promise<Parameters<Upstream['respond']>>((resolve) => {
        upstream.respond = (...exchange) => resolve(exchange);
      });
      await openPlayground(visitor, 'ocr');
      await tryExample(page);
      await page.getByRole('status').getByText('Reading the document…').waitFor();
      await page.getByRole('group', { name: 'Reading page 1' }).waitFor();
      expect(await page.getByRole('progressbar').count()).toBe(0);
      expect(await findBarriers(page)).toEqual([]);
      answerPages('Lamp oil', 'Signal flags')(...(await request));
      await page.getByRole('status').getByText('2 of 2 pages').waitFor();
      expect(await page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('100');
    }),
  );
});
