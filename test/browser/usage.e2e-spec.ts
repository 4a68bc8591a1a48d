import type { Page } from 'playwright-core';
import { type CreatedKey, createApiKey, createRestrictedKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { recordUsage, recordUsageAt, type SomeFact } from '../factories/usage.js';
import { call } from '../setup/call.js';
import { waitFor } from '../setup/wait-for.js';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import { listBrokenWords, measureOverflow, narrowWindow, phone } from './setup/narrow-window.js';
import { filterInUrl, openTable, readTotal, selectedValue, showMeasure } from './setup/usage.js';

const dashboard = openDashboard();
const january = 'from=2026-01-29&to=2026-02-02';

interface Box {
  scrollWidth: number;
  clientWidth: number;
}

let member: Member;
let key: CreatedKey;

beforeEach(async () => {
  member = await createMember(dashboard.service);
  key = await createApiKey(dashboard.service, member, 'Search indexer');
});

const keyFilter = (page: Page) => page.getByRole('combobox', { name: 'API keys' });

function facts(count: number, fact: Partial<SomeFact> = {}): SomeFact[] {
  const { organizationId } = member;
  return Array.from({ length: count }, () => ({ organizationId, apiKeyId: key.id, ...fact }));
}

function record(instant: string, ...all: SomeFact[]): Promise<void> {
  return recordUsageAt(dashboard.service, instant, all);
}

describe('The usage page', () => {
  it(
    'should keep the range in the URL',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await recordUsage(dashboard.service, facts(1));
      await visitor.signInAs(member);
      await page.goto('/dashboard/usage');
      await page.getByText('24 hours').click();
      await page.waitForURL(/range=24h/);
      await expect(page.getByRole('img', { name: 'Requests by hour' })).toBeVisible();
      await page.reload();
      await expect(page.getByRole('img', { name: 'Requests by hour' })).toBeVisible();
      expect(await page.getByRole('radio', { name: '24 hours' }).isChecked()).toBe(true);
      await page.getByText('Custom').click();
      await expect(page.getByRole('button', { name: 'Days' })).toBeVisible();
      expect(new URL(page.url()).search).toMatch(/from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d/);
      await page.goBack();
      await expect(page.getByRole('button', { name: 'Days' })).toBeHidden();
      await page.goBack();
      await expect(page.getByRole('img', { name: 'Requests by day' })).toBeVisible();
      expect(await page.getByRole('radio', { name: '7 days' }).isChecked()).toBe(true);
    }),
  );

  it(
    'should name the selected key in a range without its requests, unless it was deleted',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await record('2026-01-30T10:00:00Z', ...facts(1));
      await visitor.signInAs(member);
      await page.goto(`/dashboard/usage?${january}&apiKeyId=${key.id}`);
      const isSelected = (label: string) => expect(selectedValue(page, label)).toBeVisible();
      await isSelected('Search indexer');
      await page.getByText('24 hours').click();
      await expect(page.getByRole('heading', { name: 'No requests in this range' })).toBeVisible();
      await isSelected('Search indexer');
      await call(dashboard.service.url, `DELETE /api-keys/${key.id}`, { token: member.token });
      await page.reload();
      await isSelected('Key not used in this period');
    }),
  );

  it(
    'should have a calendar for custom ranges',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await record('2026-01-15T10:00:00Z', ...facts(4));
      await visitor.signInAs(member);
      await page.goto('/dashboard/usage?from=2026-01-20&to=2026-01-21');
      await expect(page.getByText('No requests in this range')).toBeVisible();
      await page.getByRole('button', { name: 'Days' }).click();
      await page.getByRole('button', { name: '14 January 2026' }).click();
      await page.getByRole('button', { name: '15 January 2026' }).click();
      await page.waitForURL(/from=2026-01-14&to=2026-01-15/);
      // Hours are kept for 35 days.
      await expect(page.getByRole('img', { name: 'Requests by day' })).toBeVisible();
      expect(await readTotal(page, 'Requests')).toMatch(/^Requests\s+4\s/);
    }),
  );

  it(
    'should have a calendar that keys move through, and that keeps the range and the focus',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.signInAs(member);
      await page.goto('/dashboard/usage?from=2026-01-05&to=2026-03-31');
      const button = page.getByRole('button', { name: 'Days' });
      const day = (name: string) => page.getByRole('button', { name, exact: true });
      const press = (key: string) => page.keyboard.press(key);
      const month = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });
      await button.press('Enter');
      await expect(day('31 March 2026')).toBeFocused();
      await press('PageUp');
      await expect(day('28 February 2026')).toBeFocused();
      await press('ArrowRight');
      await expect(day('1 March 2026')).toBeFocused();
      await press('Enter');
      await press('Escape');
      await expect(button).toBeFocused();
      await page.waitForURL(/from=2026-01-05&to=2026-03-31/);
      await button.press('Enter');
      await month('March 2026').press('Enter');
      await expect(month('2026')).toBeFocused();
      await month('Feb').press('Enter');
      await expect(month('February 2026')).toBeFocused();
      await press('PageUp');
      await expect(month('January 2026')).toBeFocused();
      await press('Escape');
      await expect(button).toBeFocused();
    }),
  );

  it(
    'should link to the playground without usage',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.signInAs(member);
      await page.goto('/dashboard/usage');
      await page.getByRole('link', { name: 'Try the playground' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Playground' })).toBeVisible();
    }),
  );

  it(
    'should be hidden from users without permission, and name the permission',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await visitor.signInAs(await createMember(dashboard.service, { permissions: ['get-api-keys'] }));
      await page.goto('/dashboard/usage');
      await expect(page.getByText("You don't have access to this page")).toBeVisible();
      await expect(page.getByText('“See usage”')).toBeVisible();
      expect(await page.getByRole('link', { name: 'Usage' }).count()).toBe(0);
    }),
  );

  it(
    'should have no accessibility violations in light or dark mode',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await record('2026-01-30T10:00:00Z', ...facts(3), ...facts(1, { model: 'other-model', pages: 2 }));
      await visitor.signInAs(member);
      await page.goto(`/dashboard/usage?${january}&groupBy=model`);
      await expect(page.getByRole('img', { name: 'Requests by day' }).locator('svg')).toBeVisible();
      await openTable(page, 'Requests');
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Days' }).click();
      await expect(page.getByRole('button', { name: '2 February 2026', exact: true })).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );

  it(
    'should fit a narrow window',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await record('2026-01-30T10:00:00Z', ...facts(3), ...facts(1, { model: 'a-model-with-a-rather-long-name' }));
      await visitor.signInAs(member);
      await page.goto(`/dashboard/usage?${january}&groupBy=model`);
      await expect(page.getByRole('img', { name: 'Requests by day' }).locator('svg')).toBeVisible();
      await openTable(page, 'Requests');
      expect(await measureOverflow(page)).toBe(0);
    }, narrowWindow),
  );

  it(
    'should show all of the table in a narrow window, without breaking words of model names',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const models = ['text-embedding-3-large-2026', 'paraphrase-multilingual-mpnet-base-v2'];
      await record('2026-01-30T10:00:00Z', ...models.flatMap((model) => facts(1, { model, milliseconds: 120_000 })));
      await visitor.signInAs(member);
      await page.goto(`/dashboard/usage?${january}&measure=latency`);
      const tables = page.getByRole('table', { name: 'By model' });
      await expect(tables.getByText('paraphrase').last()).toBeVisible();
      const latency = page.getByRole('row', { name: /Median [\d,]+\sms 99% [\d,]+\sms New 1 request/ });
      await expect(latency.first()).toBeVisible();
      expect(await listBrokenWords(page, 'table[aria-label$="y model"]')).toEqual([]);
      const overflows = await tables
        .locator('xpath=..')
        .evaluateAll((nodes: Box[]) => nodes.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
      expect(Math.max(...overflows)).toBe(0);
    }, phone),
  );

  it(
    'should keep large numbers visible next to long names',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { id: apiKeyId } = await createApiKey(dashboard.service, member, 'x'.repeat(100));
      await record('2026-01-30T10:00:00Z', ...facts(600, { apiKeyId, inputTokens: 2_057_613_150 }));
      await visitor.signInAs(member);
      await page.goto(`/dashboard/usage?${january}&groupBy=apiKey`);
      await expect(page.getByTitle('1,234,567,890,000')).toBeVisible();
      expect(await readTotal(page, 'Input tokens')).toContain('1.2T');
      const header = await page.getByRole('columnheader', { name: 'Requests' }).boundingBox();
      expect((header?.x ?? NaN) + (header?.width ?? NaN)).toBeLessThan(narrowWindow.viewport.width);
      expect(await measureOverflow(page)).toBe(0);
    }, narrowWindow),
  );
});

describe('The table of groups', () => {
  it(
    'should have pages with all of them',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const models = Array.from({ length: 23 }, (_, index) => facts(30 - index, { model: `model-${index + 1}` }));
      await record('2026-01-30T10:00:00Z', ...models.flat());
      await visitor.signInAs(member);
      await page.goto(`/dashboard/usage?${january}&groupBy=model`);
      const table = page.getByRole('table', { name: 'By model', exact: true });
      await expect(table.getByRole('link', { name: 'model-10' })).toBeVisible();
      await expect(page.getByText('1–10 of 23')).toBeVisible();
      await page.getByRole('button', { name: 'Page 3' }).click();
      await expect(table.getByRole('link', { name: 'model-23' })).toBeVisible();
      // With the header and the total.
      expect(await table.getByRole('row').count()).toBe(5);
      await page.reload();
      await expect(table.getByRole('link', { name: 'model-23' })).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByLabel('Split by').selectOption({ label: 'Split by key' });
      await expect(page.getByRole('table', { name: 'By key' }).getByRole('link')).toBeVisible();
    }),
  );
});

describe('The filters', () => {
  it(
    'should find any of many keys by name or first characters, also those not used in the period, and never send a secret',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const keys = [];
      for (let number = 1; number <= 101; number += 1) {
        keys.push(await createApiKey(dashboard.service, member, `Crawler ${number}`));
      }
      await record('2026-01-30T10:00:00Z', ...keys.flatMap(({ id }) => [...facts(2, { apiKeyId: id })]), ...facts(1));
      const unused = await createApiKey(dashboard.service, member, 'Nightly import');
      const urls: string[] = [];
      page.on('request', (request) => urls.push(request.url()));
      await visitor.signInAs(member);
      await page.goto(`/dashboard/usage?${january}`);

      await keyFilter(page).fill('indexer');
      await expect(page.getByRole('option', { name: 'Search indexer' })).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.keyboard.press('Enter');
      const isFiltered = (...ids: string[]) =>
        page.waitForURL((url) => JSON.stringify(filterInUrl(url, 'apiKeyId')) === JSON.stringify(ids));
      await isFiltered(key.id);
      await expect(page.getByRole('group', { name: 'Requests' }).getByText('1', { exact: true })).toBeVisible();
      await expect(selectedValue(page, 'Search indexer')).toBeVisible();

      await keyFilter(page).fill(unused.key);
      await page.getByRole('option', { name: 'Nightly import' }).click();
      await isFiltered(key.id, unused.id);
      await expect(selectedValue(page, 'Nightly import')).toBeVisible();
      expect(urls.filter((url) => url.includes(unused.key.slice(3, 9)))).toEqual([]);

      await keyFilter(page).press('Backspace');
      await isFiltered(key.id);
      await page.getByRole('button', { name: 'Clear api keys' }).click();
      await page.waitForURL((url) => !url.searchParams.has('apiKeyId'));
      await page.goBack();
      await expect(selectedValue(page, 'Search indexer')).toBeVisible();
    }),
  );

  it(
    'should find used keys, including deleted ones, without permission to list keys',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await record('2026-01-30T10:00:00Z', ...facts(1));
      await call(dashboard.service.url, `DELETE /api-keys/${key.id}`, { token: member.token });
      const { organizationId } = member;
      await visitor.signInAs(await createMember(dashboard.service, { organizationId, permissions: ['get-usage'] }));
      await page.goto(`/dashboard/usage?${january}`);
      await keyFilter(page).fill('SEARCH');
      await page.getByRole('option', { name: 'Search indexer (deleted)' }).click();
      await page.waitForURL((url) => url.searchParams.has('apiKeyId'));
      expect(filterInUrl(page.url(), 'apiKeyId')).toEqual([key.id]);
      await keyFilter(page).fill('no such key');
      await expect(page.getByText('No match').filter({ visible: true })).toBeVisible();
      await page.keyboard.press('Tab');
      await expect(selectedValue(page, 'Search indexer (deleted)')).toBeVisible();
      await expect(page.getByRole('combobox', { name: 'People' })).toBeHidden();
    }),
  );

  it(
    'should take several models, tags and people at once, and keep them in the URL, in a narrow window too',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const other = await createMember(dashboard.service, { organizationId: member.organizationId });
      const tagged = await createRestrictedKey(dashboard.service, other, { name: 'Tagged', tags: ['eu'] });
      await record(
        '2026-01-30T10:00:00Z',
        ...facts(1, { model: 'small' }),
        ...facts(2, { model: 'large' }),
        ...facts(4, { model: 'large', apiKeyId: tagged.id }),
        ...facts(8, { model: 'huge' }),
      );
      await visitor.signInAs(member);
      await page.goto(`/dashboard/usage?${january}`);
      const requests = (count: string) =>
        expect(page.getByRole('group', { name: 'Requests' }).getByText(count, { exact: true })).toBeVisible();
      await requests('15');
      const choose = async (filter: string, ...options: string[]) => {
        const field = page.getByRole('combobox', { name: filter });
        await field.click();
        for (const name of options) await page.getByRole('option', { name }).first().click();
        await field.press('Escape');
      };
      await choose('Models', 'small', 'large');
      await requests('7');
      await choose('Tags', 'eu');
      await requests('4');
      await page.getByRole('combobox', { name: 'People' }).click();
      await page.getByRole('option', { name: '@' }).first().click();
      await page.waitForURL((url) => url.searchParams.has('creatorId'));
      await page.reload();
      for (const value of ['small', 'large', 'eu']) await expect(selectedValue(page, value)).toBeVisible();
      expect(await measureOverflow(page)).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await requests('15');
    }, phone),
  );
});

describe('The selected measure', () => {
  it(
    'should be chosen by keyboard, be kept in the URL, and sort the table until another column is chosen',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await record(
        '2026-01-30T10:00:00Z',
        ...facts(3, { model: 'a-busy-model' }),
        ...facts(1, { model: 'the-long-model', inputTokens: 900, milliseconds: 2000 }),
        ...facts(2, { model: 'some-model', outcome: 'failure', milliseconds: 2 }),
      );
      await visitor.signInAs(member);
      await page.goto(`/dashboard/usage?${january}`);
      const names = page.getByRole('table', { name: 'By model' }).getByRole('link');
      const isOrder = (...order: string[]) =>
        waitFor(async () => (await names.allInnerTexts()).join() === order.join());
      await isOrder('a-busy-model', 'some-model', 'the-long-model');
      await page.getByRole('radio', { name: 'Failed requests' }).focus();
      await page.keyboard.press('ArrowRight');
      await page.waitForURL(/measure=inputTokens/);
      await isOrder('the-long-model', 'a-busy-model', 'some-model');
      await page.reload();
      expect(await page.getByRole('radio', { name: 'Input tokens' }).isChecked()).toBe(true);
      await page.getByRole('button', { name: 'Model', exact: true }).click();
      await isOrder('a-busy-model', 'some-model', 'the-long-model');
      await page.getByRole('button', { name: 'Failed requests', exact: true }).click();
      await isOrder('some-model', 'a-busy-model', 'the-long-model');
      await page.getByRole('button', { name: 'Failed requests', exact: true }).click();
      await isOrder('a-busy-model', 'the-long-model', 'some-model');
      await showMeasure(page, 'Latency (p95)');
      await page.getByRole('button', { name: '95%', exact: true }).click();
      await page.waitForURL(/orderBy=latency/);
      await isOrder('the-long-model', 'a-busy-model', 'some-model');
      await showMeasure(page, 'Requests');
      await isOrder('a-busy-model', 'some-model', 'the-long-model');
    }),
  );

  it(
    'should only be one that was used',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await record('2026-01-30T10:00:00Z', ...facts(1, { pages: 3 }));
      await visitor.signInAs(member);
      await page.goto(`/dashboard/usage?${january}&measure=outputTokens`);
      await expect(page.getByRole('region', { name: 'Requests', exact: true })).toBeVisible();
      const labels = page.getByRole('radiogroup', { name: 'Measure' }).getByRole('group');
      const titles = await labels.evaluateAll((nodes: { ariaLabel: string }[]) => nodes.map((node) => node.ariaLabel));
      expect(titles).toEqual(['Requests', 'Failed requests', 'Pages', 'Latency (p95)']);
    }),
  );

  it(
    'should have a tooltip with the total that stays within the window of a phone',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const models = Array.from({ length: 8 }, (_, index) =>
        facts(8 - index, { model: `paraphrase-multilingual-mpnet-base-v${index}-with-a-long-name` }),
      );
      for (const day of [29, 30, 31]) await record(`2026-01-${day}T10:00:00Z`, ...models.flat());
      await visitor.signInAs(member);
      await page.goto('/dashboard/usage?from=2026-01-29&to=2026-01-31&groupBy=model');
      const chart = page.getByRole('img', { name: 'Requests by' }).locator('svg').first();
      await expect(chart).toBeVisible();
      await chart.scrollIntoViewIfNeeded();
      const { x, y, width, height } = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const tooltip = page.locator('.recharts-tooltip-wrapper');
      for (const place of [0.3, 0.6, 0.95]) {
        await page.mouse.move(x + width * place, y + height / 2);
        await expect(tooltip.getByText('Total')).toBeVisible();
        const box = await tooltip.boundingBox();
        expect(box?.x).toBeGreaterThanOrEqual(0);
        expect((box?.x ?? NaN) + (box?.width ?? NaN)).toBeLessThanOrEqual(phone.viewport.width);
      }
    }, phone),
  );

  it(
    'should be split by person, whose name links to their usage',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await record('2026-01-30T10:00:00Z', ...facts(3));
      await visitor.signInAs(member);
      await page.goto(`/dashboard/usage?${january}&groupBy=creator`);
      await page.getByRole('table', { name: 'By person' }).getByRole('link').click();
      await page.waitForURL((url) => url.searchParams.has('creatorId'));
      expect(filterInUrl(page.url(), 'creatorId')).toEqual([member.userId]);
      expect(await readTotal(page, 'Requests')).toMatch(/^Requests\s+3\s/);
    }),
  );
});

describe('The totals', () => {
  it(
    'should not be compared with a period whose usage is no longer kept',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
      await record(`${dayAgo(385)}T10:00:00Z`, ...facts(6));
      await visitor.signInAs(member);
      await page.goto(`/dashboard/usage?from=${dayAgo(390)}&to=${dayAgo(380)}`);
      for (const name of ['Requests', 'Failed requests']) {
        const figure = page.getByRole('group', { name, exact: true });
        await expect(figure.getByText("No comparison: older usage isn't kept")).toBeVisible();
        expect(await figure.innerText()).not.toContain('previous');
      }
    }),
  );

  it(
    'should be compared with the previous period',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await record('2026-01-26T10:00:00Z', ...facts(4));
      await record('2026-01-30T10:00:00Z', ...facts(6));
      await visitor.signInAs(member);
      await page.goto(`/dashboard/usage?${january}`);
      await expect(
        page.getByRole('group', { name: 'Requests' }).getByText('+50.0% vs. the previous 5 days'),
      ).toBeVisible();
      await expect(
        page.getByRole('group', { name: 'Failed requests' }).getByText('0.0% in the previous 5 days'),
      ).toBeVisible();
      expect(await readTotal(page, 'Latency (p95)')).toContain('11\u00a0ms');
    }),
  );
});
