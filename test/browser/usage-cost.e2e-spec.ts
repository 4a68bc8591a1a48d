import type { Page } from 'playwright-core';
import { createApiKey } from '../factories/api-keys.js';
import { pricedModels } from '../factories/models.js';
import { createMember, type Member } from '../factories/organizations.js';
import { recordUsageAt, type SomeFact } from '../factories/usage.js';
import { readStyle } from './setup/computed-style.js';
import { openDashboard } from './setup/dashboard.js';
import { listBrokenNumbers, listBrokenWords, measureOverflow, phone } from './setup/narrow-window.js';
import { openTable } from './setup/usage.js';
import type { Visitor } from './setup/visitor.js';

const dashboard = openDashboard({
  config: {
    models: pricedModels({ perMillionTokens: { input: '2' } }, { perThousandPages: '10' }),
    currency: 'EUR',
  },
});
const model = 'universal-sentence-encoder-lite';
const january = 'from=2026-01-29&to=2026-02-02';

let member: Member;

beforeEach(async () => {
  member = await createMember(dashboard.service);
});

/** Records usage of a new key. */
async function record(keyName: string, facts: Partial<SomeFact>[], instant = '2026-01-30T10:00:00Z') {
  const { organizationId } = member;
  const { id: apiKeyId } = await createApiKey(dashboard.service, member, keyName);
  await recordUsageAt(
    dashboard.service,
    instant,
    facts.map((fact) => ({ organizationId, apiKeyId, ...fact })),
  );
}

async function openUsage(visitor: Visitor, groupBy: 'none' | 'apiKey' | 'model'): Promise<Page> {
  await visitor.signInAs(member);
  await visitor.page.goto(`/dashboard/usage?${january}&groupBy=${groupBy}`);
  await visitor.page.getByRole('group', { name: 'Requests' }).getByText('succeeded').waitFor();
  return visitor.page;
}

const totalCost = (page: Page) => page.getByRole('group', { name: 'Cost', exact: true });
const costCell = (page: Page, row: RegExp) =>
  page
    .getByRole('table', { name: /^By (key|model)$/ })
    .getByRole('row', { name: row })
    .getByRole('cell')
    .nth(1);

describe('The cost on the usage page', () => {
  it(
    'should be missing for a model without a price, and the totals say which requests they leave out',
    dashboard.test(async (visitor) => {
      const unpriced = Array.from({ length: 3 }, () => ({ model: 'local-model', inputTokens: 1000 }));
      await record('Search indexer', [{ model, inputTokens: 500_000 }, ...unpriced]);
      await record('Crawler', unpriced);
      const page = await openUsage(visitor, 'model');
      await expect(totalCost(page).getByText('€1.00', { exact: true })).toBeVisible();
      await expect(
        totalCost(page).getByText('Excludes 6 requests without a price: local-model', { exact: true }),
      ).toBeVisible();
      await expect(totalCost(page).getByText('None in the previous 5 days')).toBeVisible();
      await expect(costCell(page, /^local-model/)).toBeVisible();
      expect(await page.getByText('At current prices').count()).toBe(0);
      expect(await costCell(page, /^local-model/).innerText()).toBe('–');
      expect(await costCell(page, /^universal/).innerText()).toBe('€1.00');
      await page.getByLabel('Split by').selectOption({ label: 'Split by key' });
      await expect(costCell(page, /^Search indexer/)).toBeVisible();
      expect(await costCell(page, /^Search indexer/).innerText()).toMatch(/^€1\.00\s+Excludes 3 requests$/);
      expect(await costCell(page, /^Crawler/).innerText()).toBe('–');
    }),
  );

  it(
    'should not be compared with a period in which no model had a price',
    dashboard.test(async (visitor) => {
      await record('Search indexer', [{ model, inputTokens: 500_000 }]);
      await record('Crawler', [{ model: 'local-model', inputTokens: 1000 }], '2026-01-26T10:00:00Z');
      const page = await openUsage(visitor, 'none');
      await expect(totalCost(page).getByText('No requests with a price in the previous 5 days')).toBeVisible();
      expect(await totalCost(page).innerText()).not.toContain('Excludes');
    }),
  );

  it(
    'should have the decimals of the currency in all rows, and digits of the same width',
    dashboard.test(async (visitor) => {
      await record('Large', [{ model, inputTokens: 617_283_945 }]);
      await record('Small', [{ model, inputTokens: 62 }]);
      await record('Free', [{ model }]);
      const page = await openUsage(visitor, 'apiKey');
      await expect(costCell(page, /^Large/)).toBeVisible();
      const cells = ['Large', 'Small', 'Free'].map((name) => costCell(page, new RegExp(`^${name}`)));
      expect(await Promise.all(cells.map((cell) => cell.innerText()))).toEqual(['€1,234.57', '<€0.01', '€0.00']);
      for (const cell of cells) {
        expect(await readStyle(cell, 'fontVariantNumeric')).toBe('tabular-nums');
      }
    }),
  );

  it(
    'should be the same in the tooltip of a day as in the table of the chart, below an axis with two decimals',
    dashboard.test(async (visitor) => {
      await record('Large', [{ model, inputTokens: 837_000 }]);
      await record('Small', [{ model, inputTokens: 4400 }]);
      await record('Tiny', [{ model, inputTokens: 620 }]);
      const page = await openUsage(visitor, 'apiKey');
      const [, , ...days] = await openTable(page, 'Cost');
      expect(days.at(-2)).toEqual(['Fri, 30 Jan 2026', '€1.67', '€0.01', '<€0.01', '€1.68']);
      const chart = page.getByRole('img', { name: 'Cost by day' });
      await chart.locator('path.recharts-rectangle').first().hover();
      const tooltip = page.locator('.recharts-tooltip-wrapper');
      await expect(tooltip.getByText('<€0.01', { exact: true })).toBeVisible();
      await expect(tooltip.getByText('€0.01', { exact: true })).toBeVisible();
      await expect(tooltip.getByText('€1.68', { exact: true })).toBeVisible();
      const labels = await chart.locator('.recharts-yAxis-tick-labels text').allTextContents();
      expect(labels).toEqual(['€0.00', '€0.45', '€0.90', '€1.35', '€1.80']);
    }),
  );

  it.each([
    ['a phone', phone],
    ['a tablet', { viewport: { width: 800, height: 900 } }],
    ['a laptop', { viewport: { width: 1280, height: 800 } }],
  ])('should not wrap inside a number or a word on %s', async (_title, options) => {
    await dashboard.test(async (visitor) => {
      await record(
        'Large',
        Array.from({ length: 300 }, () => ({ model, inputTokens: 2_057_613_152 })),
      );
      await record('Small', [{ model, inputTokens: 62 }]);
      await record('An indexer with a name that takes much of the width', [{ model, inputTokens: 62_000 }]);
      const page = await openUsage(visitor, 'apiKey');
      await expect(page.getByRole('row', { name: /^An indexer/ })).toBeVisible();
      await expect(totalCost(page).getByText(/^€1,234,56/)).toBeVisible();
      expect(await listBrokenNumbers(page, 'main')).toEqual([]);
      expect(await listBrokenWords(page, 'table[aria-label="By key"]')).toEqual([]);
      expect(await measureOverflow(page)).toBeLessThanOrEqual(0);
    }, options)();
  });
});
