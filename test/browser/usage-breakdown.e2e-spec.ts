import type { Locator, Page } from 'playwright-core';
import { createApiKey, createRestrictedKey } from '../factories/api-keys.js';
import { setLimits } from '../factories/limits.js';
import { pricedModels } from '../factories/models.js';
import { createMember, type Member } from '../factories/organizations.js';
import { recordUsage, recordUsageAt, type SomeFact } from '../factories/usage.js';
import { waitFor } from '../setup/wait-for.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { listBrokenNumbers, measureOverflow, phone } from './setup/narrow-window.js';
import { exportCsv, readTotal } from './setup/usage.js';

const dashboard = openDashboard({
  config: { models: pricedModels({ perMillionTokens: { input: '2' } }), currency: 'EUR' },
});
const model = 'universal-sentence-encoder-lite';
const days = 'from=2026-01-29&to=2026-02-02';
const now = '2026-01-30T10:00:00Z';
const before = '2026-01-26T10:00:00Z';

let member: Member;

beforeEach(async () => {
  member = await createMember(dashboard.service);
});

/** Requests of a key, each for one euro. */
function facts(apiKeyId: string, count: number): SomeFact[] {
  const { organizationId } = member;
  return Array.from({ length: count }, () => ({ organizationId, apiKeyId, model, inputTokens: 500_000 }));
}

/** Creates a key and records its requests before and now. */
async function record(name: string, [previous, current]: [number, number], tags: string[] = []) {
  const { id } = await createRestrictedKey(dashboard.service, member, { name, tags });
  await recordUsageAt(dashboard.service, before, facts(id, previous));
  await recordUsageAt(dashboard.service, now, facts(id, current));
  return id;
}

/** Of CSV files. */
const tagColumn = 'Tag (keys count for each of their tags)';

/** The cells of each row of a table, with single spaces. */
async function readRows(page: Page, name: string): Promise<string[][]> {
  const rows = await page.getByRole('table', { name, exact: true }).locator('tbody tr, tfoot tr').all();
  const cells = await Promise.all(rows.map((row) => row.getByRole('cell').allInnerTexts()));
  return cells.map((texts) => texts.map((text) => text.replaceAll(/\s+/gu, ' ').trim()));
}

const shows = (page: Page, name: string, expected: string[][]) =>
  waitFor(async () => {
    const rows = await readRows(page, name);
    const firstCells = rows.map((cells, index) => cells.slice(0, expected[index]?.length));
    return JSON.stringify(firstCells) === JSON.stringify(expected);
  });

describe('A table of the usage page', () => {
  it(
    'should compare each row and the total with the previous period, and sort by the change',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await record('Steady', [5, 5]);
      await record('Grown', [2, 6]);
      await record('New', [0, 2]);
      await record('Gone', [4, 0]);
      const reports: string[] = [];
      page.on('request', (request) => reports.push(new URL(request.url()).search));
      await visitor.visit(member, `/dashboard/usage?${days}&groupBy=apiKey`);
      const total = ['Total', '€13.00', '100.0%', '+€2.00 +18.2%'];
      await shows(page, 'By key', [
        ['Grown', '€6.00', '46.2%', '+€4.00 +200.0%'],
        ['Steady', '€5.00', '38.5%', '€0.00'],
        ['New', '€2.00', '15.4%', '+€2.00 New'],
        ['Gone', '–', '–', '−€4.00 −100.0%'],
        total,
      ]);
      expect(await readTotal(page, 'Cost')).toMatch(/€13\.00[^]*\+18\.2% vs\. the previous 5 days/);
      const note = page.getByText(/^Changes are vs\. the previous 5 days \(data only from 26\sJan\)\.$/);
      await expect(note).toBeVisible();
      expect(reports.filter((query) => /groupBy=apiKey.*compareFrom/.test(query))).toHaveLength(1);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Change' }).click();
      await page.waitForURL(/orderBy=change/);
      await shows(page, 'By key', [['Grown'], ['New'], ['Steady'], ['Gone'], total]);
      await page.getByRole('button', { name: 'Change' }).click();
      await shows(page, 'By key', [['Gone'], ['Steady'], ['New'], ['Grown'], total]);
      // Sums of the file would count a total twice.
      expect((await exportCsv(page)).rows.filter(({ Key }) => Key === 'Total' || Key === '')).toEqual([]);
    }),
  );

  it(
    'should say since when a row has data, if that is later than the total',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await record('Steady', [5, 5]);
      const { id } = await createRestrictedKey(dashboard.service, member, { name: 'Later', tags: [] });
      await recordUsageAt(dashboard.service, '2026-01-27T10:00:00Z', facts(id, 2));
      await recordUsageAt(dashboard.service, now, facts(id, 3));
      await visitor.visit(member, `/dashboard/usage?${days}&groupBy=apiKey`);
      await shows(page, 'By key', [
        ['Steady', '€5.00', '62.5%', '€0.00'],
        ['Later', '€3.00', '37.5%', '+€1.00 +50.0% vs. data from 27 Jan'],
        ['Total', '€8.00', '100.0%', '+€1.00 +14.3%'],
      ]);
      await expect(page.getByText(/^Changes are vs\. the previous 5 days \(data only from 26\sJan\)\.$/)).toBeVisible();
      await page.setViewportSize({ width: 390, height: 844 });
      await expect(page.getByText(/Change \+€1\.00 \(\+50\.0% vs\. data from 27\sJan\)/)).toBeVisible();
      expect(await measureOverflow(page)).toBe(0);
    }),
  );

  it(
    'should have the total of all pages below each',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { organizationId } = member;
      const { id: apiKeyId } = await createApiKey(dashboard.service, member);
      const models = Array.from({ length: 12 }, (_, index) => ({
        organizationId,
        apiKeyId,
        model: `model-${index + 10}`,
      }));
      await recordUsageAt(dashboard.service, now, models);
      await visitor.visit(member, `/dashboard/usage?${days}&groupBy=model`);
      const total = page.getByRole('row', { name: /^Total of all pages 12 100\.0% \+12 New/ });
      await expect(total).toBeVisible();
      await page.getByRole('button', { name: 'Page 2' }).click();
      await expect(page.getByRole('link', { name: 'model-10' })).toBeHidden();
      await expect(total).toBeVisible();
    }),
  );

  it(
    'should say that costs are rounded, but only if they are',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const cost = (apiKeyId: string, tokens: number) =>
        facts(apiKeyId, 1).map((fact) => ({ ...fact, inputTokens: tokens }));
      for (const name of ['Search', 'Mail', 'Docs']) {
        const { id } = await createApiKey(dashboard.service, member, name);
        await recordUsageAt(dashboard.service, now, cost(id, 167_000));
        await recordUsageAt(dashboard.service, '2026-01-20T10:00:00Z', cost(id, 165_000));
      }
      await visitor.visit(member, `/dashboard/usage?${days}&groupBy=apiKey`);
      await expect(page.getByRole('row', { name: /^Mail €0\.33/ })).toBeVisible();
      await expect(page.getByRole('row', { name: /^Total €1\.00/ })).toBeVisible();
      const notes = page.getByText(/^Rows are rounded, so they may not add up to the total exactly/);
      await expect(notes).toBeVisible();
      await page.getByRole('button', { name: 'Show table' }).click();
      await expect(notes.first()).toBeVisible();
      await expect(notes.nth(1)).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.goto('/dashboard/usage?from=2026-01-19&to=2026-01-21&groupBy=apiKey');
      await expect(page.getByRole('row', { name: /^Total €0\.99/ })).toBeVisible();
      expect(await notes.count()).toBe(0);
    }),
  );

  it(
    'should have no changes if the usage of the previous period is no longer kept',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const dayAgo = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10);
      for (const name of ['Search', 'Mail']) {
        const { id } = await createApiKey(dashboard.service, member, name);
        await recordUsageAt(dashboard.service, `${dayAgo(385)}T10:00:00Z`, facts(id, 1));
      }
      await visitor.visit(
        member,
        `/dashboard/usage?from=${dayAgo(390)}&to=${dayAgo(380)}&groupBy=apiKey&orderBy=change`,
      );
      await expect(page.getByRole('row', { name: /^Total €2\.00 100\.0%/ })).toBeVisible();
      expect(await page.getByRole('columnheader', { name: 'Change' }).count()).toBe(0);
    }),
  );

  it(
    'should fit a phone, with the share, the change and the rate of failures below the name',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await record('An indexer with a name that takes much of the width', [2000, 6]);
      const mail = await record('Mail', [0, 2]);
      const failed = facts(mail, 1).map((fact) => ({ ...fact, outcome: 'failure' as const, inputTokens: 0 }));
      await recordUsageAt(dashboard.service, '2026-01-30T11:00:00Z', failed);
      await visitor.visit(member, `/dashboard/usage?${days}&groupBy=apiKey`);
      await expect(page.getByText('Change −€1,994.00 (−99.7%)')).toBeVisible();
      const row = page.getByRole('row', {
        name: /^Mail Share 25\.0% Change \+€2\.00 \(New\) 3 requests Failed requests 1 \(33\.3%\)/,
      });
      await expect(row).toBeVisible();
      expect(await listBrokenNumbers(page, 'table[aria-label="By key"]')).toEqual([]);
      expect(await measureOverflow(page)).toBe(0);
    }, phone),
  );
});

describe('The usage by tag', () => {
  it(
    'should be that of the tags with a prefix, which add up to the total with the keys without such a tag',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await record('Indexer', [2, 3], ['team:search', 'env:prod']);
      await record('Crawler', [0, 1], ['team:search', 'env:dev']);
      await record('Newsletter', [1, 2], ['team:mail', 'env:prod', 'eu']);
      await record('Playground', [0, 1]);
      await visitor.visit(member, `/dashboard/usage?${days}&groupBy=tag`);
      const total = ['Total', '€7.00', '100.0%'];
      const prefixes = page.getByRole('combobox', { name: 'Tags', exact: true }).and(page.locator('select'));
      await expect(page.getByRole('row', { name: /^env:prod/ })).toBeVisible();
      expect(await readRows(page, 'By tag')).toHaveLength(7);
      expect(await prefixes.locator('option').allInnerTexts()).toEqual(['All tags', 'env:', 'team:']);
      await prefixes.selectOption('team:');
      await page.waitForURL((url) => url.searchParams.get('tagPrefix') === 'team:');
      await shows(page, 'By tag', [
        ['team:search', '€4.00', '57.1%'],
        ['team:mail', '€2.00', '28.6%'],
        ['No team tag', '€1.00', '14.3%'],
        total,
      ]);
      const { name, rows } = await exportCsv(page);
      expect(name).toMatch(/^usage-by-tag-team-2026/);
      expect(new Set(rows.map((row) => row[tagColumn]))).toEqual(new Set(['team:search', 'team:mail', 'No team tag']));
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.reload();
      await shows(page, 'By tag', [['team:search'], ['team:mail'], ['No team tag'], total]);
      await page.getByRole('link', { name: 'team:mail' }).click();
      await expect(page.getByRole('group', { name: 'Cost', exact: true }).getByText('€2.00')).toBeVisible();
    }),
  );

  it(
    'should be in a CSV file whose sums are the total, although keys count for several tags',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await record('Indexer', [0, 3], ['team:search', 'env:prod']);
      await record('Crawler', [0, 1], ['team:search']);
      await record('Playground', [0, 1]);
      await visitor.visit(member, `/dashboard/usage?${days}&groupBy=tag`);
      await shows(page, 'By tag', [
        ['team:search', '€4.00'],
        ['env:prod', '€3.00'],
        ['No tag', '€1.00'],
        ['Total', '€5.00'],
      ]);
      const { rows } = await exportCsv(page);
      const used = rows.filter(({ Requests }) => Requests !== '0');
      expect(used.map((row) => [row[tagColumn], row.Requests, row['Cost (EUR)']])).toEqual([
        ['team:search', '4', '4'],
        ['env:prod', '3', '3'],
        ['No tag', '1', '1'],
        ['Deduction for keys with several tags', '-3', '-3'],
      ]);
    }),
  );

  it(
    'should keep its note, shares and total until the tags with another prefix are loaded',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await record('Indexer', [0, 3], ['team:search', 'env:prod']);
      await record('Newsletter', [0, 1], ['team:mail']);
      await visitor.visit(member, `/dashboard/usage?${days}&groupBy=tag`);
      const before = [
        ['env:prod', '€3.00', '75.0%'],
        ['team:search'],
        ['team:mail', '€1.00', '25.0%'],
        ['Total', '€4.00'],
      ];
      await shows(page, 'By tag', before);
      let release = () => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      await page.route(/\/usage\?.*tagPrefix=/, async (route) => {
        await released;
        await route.continue();
      });
      const isRequested = page.waitForRequest(/\/usage\?.*tagPrefix=/);
      await page.locator('select[aria-label="Tags"]').selectOption('team:');
      await isRequested;
      await shows(page, 'By tag', before);
      await expect(page.getByText('A key with several tags counts for each')).toBeVisible();
      release();
      await shows(page, 'By tag', [['team:search', '€3.00', '75.0%'], ['team:mail'], ['Total', '€4.00']]);
      await expect(page.getByText('Only tags that start with “team:”')).toBeVisible();
    }),
  );

  it(
    'should have no choice of prefixes if no tag has one',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await record('Indexer', [0, 3], ['eu']);
      await record('Crawler', [0, 1]);
      await visitor.visit(member, `/dashboard/usage?${days}&groupBy=tag`);
      await expect(page.getByRole('row', { name: /^No tag/ })).toBeVisible();
      expect(await page.locator('select[aria-label="Tags"]').count()).toBe(0);
    }),
  );
});

describe('The cost of the current month', () => {
  const budgetOf = (max: number) => [{ metric: 'cost' as const, per: 'month' as const, max: max * 1e9 }];
  const month = () => `month=${new Date().toISOString().slice(0, 7)}`;
  const cost = (page: Locator | Page) => page.getByRole('group', { name: 'Cost', exact: true });

  it(
    "should be compared with the organization's budget, but that of other periods and selections shouldn't",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { organizationId } = member;
      const { id } = await createApiKey(dashboard.service, member);
      await setLimits(dashboard.service, { organizationId }, budgetOf(500));
      await recordUsage(dashboard.service, facts(id, 3));
      await visitor.visit(member, `/dashboard/usage?${month()}`);
      await expect(cost(page).getByText('of €500.00 budget')).toBeVisible();
      await page.getByText('30 days').click();
      await expect(cost(page).getByText('None in the previous 30 days')).toBeVisible();
      expect(await cost(page).innerText()).not.toContain('budget');
      await page.goto(`/dashboard/usage?${month()}&model=${model}`);
      await expect(cost(page).getByText('€3.00')).toBeVisible();
      expect(await cost(page).innerText()).not.toContain('budget');
    }),
  );

  it(
    'should be forecast, with the method and, if the budget counts another amount, the reason',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { organizationId } = member;
      const { id } = await createApiKey(dashboard.service, member);
      await setLimits(dashboard.service, { organizationId }, budgetOf(500));
      const day = 24 * 3_600_000;
      for (let daysAgo = 28; daysAgo > 0; daysAgo -= 1) {
        await recordUsageAt(dashboard.service, new Date(Date.now() - daysAgo * day).toISOString(), facts(id, 1));
      }
      await recordUsage(dashboard.service, facts(id, 1));
      const today = new Date();
      const daysLeft =
        new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 0)).getUTCDate() - today.getUTCDate();
      const spent = Math.min(29, today.getUTCDate());
      await visitor.visit(member, `/dashboard/usage?${month()}`);
      await expect(cost(page).getByText(`Forecast: €${spent + daysLeft}.00`)).toBeVisible();
      await expect(page.getByText(/^Forecasts expect today and the remaining days/)).toBeVisible();
      await expect(page.getByText(/^The budget counts €0\.00: its month may have begun before/)).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.goto(`/dashboard/usage?${month()}&model=${model}`);
      await expect(cost(page).getByText(`Forecast: €${spent + daysLeft}.00`)).toBeVisible();
      await page.goto(`/dashboard/keys/${id}`);
      const usage = page.getByRole('region', { name: 'Usage', exact: true });
      await expect(cost(usage).getByText('€29.00', { exact: true })).toBeVisible();
      await usage.getByText('Month', { exact: true }).click();
      await expect(cost(usage).getByText(`€${spent}.00`, { exact: true })).toBeVisible();
      const months = usage.getByRole('combobox', { name: 'Month' }).getByRole('option');
      expect((await months.allInnerTexts()).slice(0, 2)).toEqual([
        expect.stringMatching(/^This month/),
        expect.stringMatching(/^Last month/),
      ]);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await usage.getByRole('link', { name: 'View details' }).click();
      await page.waitForURL((url) => url.search.includes(month()) && url.search.includes(id));
    }),
  );

  it(
    'should be shown for the budget of a key',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { id: keyId } = await createApiKey(dashboard.service, member);
      await setLimits(dashboard.service, { keyId }, budgetOf(2));
      await recordUsage(dashboard.service, facts(keyId, 1));
      await visitor.visit(member, `/dashboard/keys/${keyId}`);
      await page.getByRole('region', { name: 'Limits' }).getByRole('link', { name: 'View usage' }).click();
      await page.waitForURL((url) => url.search.includes(month()));
      await expect(cost(page).getByText('of €2.00 budget')).toBeVisible();
    }),
  );

  it(
    'should be compared with the budget of the only selected key',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { id: keyId } = await createApiKey(dashboard.service, member);
      await setLimits(dashboard.service, { organizationId: member.organizationId }, budgetOf(500));
      await setLimits(dashboard.service, { keyId }, budgetOf(2));
      await recordUsage(dashboard.service, facts(keyId, 3));
      await visitor.visit(member, `/dashboard/usage?${month()}&apiKeyId=${keyId}`);
      await expect(cost(page).getByText('Over the budget of €2.00')).toBeVisible();
      expect(await cost(page).innerText()).not.toContain('Forecast');
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );
});
