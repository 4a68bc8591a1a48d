import type { Locator } from 'playwright-core';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { recordUsage, recordUsageAt, type SomeFact } from '../factories/usage.js';
import { call } from '../setup/call.js';
import { waitFor } from '../setup/wait-for.js';
import { readStyle } from './setup/computed-style.js';
import { openDashboard } from './setup/dashboard.js';
import { narrowWindow } from './setup/narrow-window.js';
import { exportCsv, filterInUrl, openTable, readTable, readTotal, showMeasure, topsOfBars } from './setup/usage.js';

const dashboard = openDashboard();
const american = { locale: 'en-US' };
/** Of the organization. The visitor is in Berlin. */
const timeZone = 'Asia/Tokyo';
const january = 'from=2026-01-29&to=2026-02-02';

let member: Member;
let key: CreatedKey;

beforeEach(async () => {
  member = await createMember(dashboard.service);
  key = await createApiKey(dashboard.service, member, 'Search indexer');
  await dashboard.service.query('update organizations set time_zone = $2 where id = $1', [
    member.organizationId,
    timeZone,
  ]);
});

function facts(count: number, fact: Partial<SomeFact> = {}): SomeFact[] {
  const { organizationId } = member;
  return Array.from({ length: count }, () => ({ organizationId, apiKeyId: key.id, ...fact }));
}

function record(instant: string, ...all: SomeFact[]): Promise<void> {
  return recordUsageAt(dashboard.service, instant, all);
}

/** Returns the organization's day on which the key was used, formatted like the page. */
async function readUsageDay(): Promise<string | undefined> {
  const [row] = await dashboard.service.query<{ day: string }>(
    `select to_char(hour at time zone $2, 'Dy, FMDD Mon YYYY') as day from usage where api_key_id = $1`,
    [key.id, timeZone],
  );
  return row?.day;
}

describe('The charts of the usage page', () => {
  it(
    'should include a request immediately',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const body = { model: 'universal-sentence-encoder-lite', input: 'How do I reset my password?' };
      const { status } = await call(dashboard.service.url, 'POST /v1/embeddings', { token: key.key, body });
      expect(status).toBe(200);
      await visitor.signInAs(member);
      await page.goto('/dashboard/usage');
      await expect(page.getByRole('img', { name: 'Requests by day' })).toBeVisible();
      expect(await readTotal(page, 'Requests')).toMatch(/^Requests\s+1\s/);
      expect(await readTotal(page, 'Failed requests')).toMatch(/^Failed requests\s+0\.0%\s/);
      expect(await readTotal(page, 'Input tokens')).toMatch(/^Input tokens\s+8\s/);
      const [header, ...rows] = await openTable(page, 'Requests');
      expect(header).toEqual(['Day', 'Requests']);
      expect(rows).toHaveLength(7 + 1);
      // By day and in total. The day of the request may have ended since.
      const used = rows.filter(([, requests]) => requests !== '0');
      expect(used).toEqual([
        ['Whole range', '1'],
        [await readUsageDay(), '1'],
      ]);
    }),
  );

  it(
    "should show the same numbers by day of the organization's time zone, in the table and CSV file",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await record('2026-01-30T14:00:00Z', ...facts(2));
      // Midnight in Tokyo.
      await record('2026-01-30T15:00:00Z', ...facts(3, { inputTokens: 500 }), ...facts(1, { outcome: 'failure' }));
      await visitor.signInAs(member);
      await page.goto(`/dashboard/usage?${january}`);
      await expect(page.getByRole('img', { name: /^Requests by day/ }).locator('svg')).toBeVisible();
      await expect(page.getByText('Days begin at midnight in Asia/Tokyo.')).toBeVisible();
      expect(await readTotal(page, 'Requests')).toMatch(/^Requests\s+6\s/);
      expect(await readTotal(page, 'Failed requests')).toMatch(/^Failed requests\s+16\.7%\s/);
      await showMeasure(page, 'Input tokens');
      expect(await openTable(page, 'Input tokens')).toEqual([
        ['Day', 'Input tokens'],
        ['Whole range', '1,500'],
        ['Mon, 2 Feb 2026', '0'],
        ['Sun, 1 Feb 2026', '0'],
        ['Sat, 31 Jan 2026', '1,500'],
        ['Fri, 30 Jan 2026', '0'],
        ['Thu, 29 Jan 2026', '0'],
      ]);
      const { name, rows } = await exportCsv(page);
      expect(name).toBe('usage-by-model-2026-01-29-2026-02-02.csv');
      expect(rows.map((row) => [row.Day, row.Requests, row['Input tokens']])).toEqual([
        ['2026-01-29', '0', '0'],
        ['2026-01-30', '2', '0'],
        ['2026-01-31', '4', '1500'],
        ['2026-02-01', '0', '0'],
        ['2026-02-02', '0', '0'],
      ]);
      await showMeasure(page, 'Latency (p95)');
      const latency = await readTable(page, 'Latency (p95)');
      expect(latency[0]).toEqual(['Day', 'Median', '95th percentile', '99th percentile']);
      expect(latency.at(-1)?.slice(1)).toEqual(['–', '–', '–']);
      expect(latency.at(-2)?.[1]).toBe('11\u00a0ms');
    }),
  );

  it(
    'should group by key, mark deleted keys and link to the usage of a key',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const formula = await createApiKey(dashboard.service, member, '=1+1');
      await record('2026-01-30T10:00:00Z', ...facts(3), ...facts(2, { apiKeyId: formula.id }));
      await call(dashboard.service.url, `DELETE /api-keys/${formula.id}`, { token: member.token });
      await visitor.signInAs(member);
      await page.goto(`/dashboard/usage?${january}`);
      await page.getByLabel('Split by').selectOption({ label: 'Split by key' });
      const groups = page.getByRole('table', { name: 'By key' });
      await expect(groups).toBeVisible();
      const { rows } = await exportCsv(page);
      const used = rows.filter(({ Day }) => Day === '2026-01-30');
      expect(used.map(({ Key, Requests }) => [Key, Requests])).toEqual([
        ['Search indexer', '3'],
        ["'=1+1", '2'],
      ]);
      expect(await groups.getByRole('row').nth(2).locator('td').first().innerText()).toBe('=1+1 (deleted)');
      await groups.getByRole('link', { name: '=1+1 (deleted)' }).click();
      await expect(groups).toBeHidden();
      await expect(page.getByRole('group', { name: 'Requests' }).getByText('2', { exact: true })).toBeVisible();
      expect(filterInUrl(page.url(), 'apiKeyId')).toEqual([formula.id]);
    }),
  );

  it(
    'should stack the keys in the same order, also after usage was not grouped',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { id: apiKeyId } = await createApiKey(dashboard.service, member, 'Import');
      const failed = { outcome: 'failure' } as const;
      await record('2026-01-30T10:00:00Z', ...facts(3, failed), ...facts(2, { apiKeyId, ...failed }));
      await visitor.signInAs(member);
      await page.goto(`/dashboard/usage?${january}`);
      await expect(page.getByRole('img', { name: 'Requests by day' })).toBeVisible();
      await page.getByLabel('Split by').selectOption({ label: 'Split by key' });
      for (const title of ['Requests', 'Failed requests']) {
        await showMeasure(page, title);
        const [first = NaN, second = NaN] = await topsOfBars(page, title, 2);
        expect(first).toBeGreaterThan(second);
      }
    }),
  );

  it(
    "should group by model, combine all but the seven busiest, and format dates for the browser's language",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const models = Array.from({ length: 9 }, (_, index) => facts(10 - index, { model: `model-${index + 1}` }));
      await record('2026-01-30T10:00:00Z', ...models.flat());
      await visitor.signInAs(member);
      await page.goto(`/dashboard/usage?${january}&groupBy=model`);
      const [header, ...days] = await openTable(page, 'Requests');
      const names = [1, 2, 3, 4, 5, 6, 7].map((number) => `model-${number}`);
      expect(header).toEqual(['Day', ...names, '2 others', 'Total']);
      expect(days.at(-2)).toEqual(['Fri, Jan 30, 2026', '10', '9', '8', '7', '6', '5', '4', '5', '54']);
      const lastTick = page
        .getByRole('img', { name: /^Requests/ })
        .locator('.recharts-xAxis-tick-labels text')
        .last();
      expect(await lastTick.textContent()).toBe('Feb 2');
      await page.getByRole('combobox', { name: 'Models' }).click();
      await page.getByRole('option', { name: 'model-9' }).click();
      await expect(page.getByRole('group', { name: 'Requests' }).getByText('2', { exact: true })).toBeVisible();
    }, american),
  );
});

/** Scrolls the table sideways, and lists the first cells of rows that other cells then cover. */
const readCoveredHeaders = `(() => {
  const region = document.querySelector('[role=region][aria-label="Requests table"]');
  region.scrollLeft = region.scrollWidth;
  if (region.scrollLeft === 0) return ['The table is not too wide.'];
  return [...region.querySelectorAll('tr > :first-child')].filter((cell) => {
    const { left, right, top, bottom } = cell.getBoundingClientRect();
    return [left + 2, (left + right) / 2, right - 2].some(
      (x) => !cell.contains(document.elementFromPoint(x, (top + bottom) / 2)),
    );
  }).map((cell) => cell.innerText);
})()`;

describe('A day of the charts', () => {
  /** Records requests two days ago and now. Returns the days in the organization's time zone. */
  async function recordTwoDays(): Promise<string[]> {
    await record(new Date(Date.now() - 48 * 3_600_000).toISOString(), ...facts(3));
    await recordUsage(dashboard.service, facts(2));
    const rows = await dashboard.service.query<{ day: string }>(
      `select distinct to_char(hour at time zone $2, 'YYYY-MM-DD') as day from usage where api_key_id = $1 order by day`,
      [key.id, timeZone],
    );
    return rows.map(({ day }) => day);
  }

  const bar = 'path.recharts-rectangle[fill^="var(--series"]';

  /** The place of an element that may be drawn again at any time, and has none for a moment. */
  async function findBox(locator: Locator) {
    let found = { x: NaN, y: NaN, width: NaN };
    await waitFor(async () => {
      const box = await locator.boundingBox();
      if (box !== null) found = box;
      return box !== null;
    });
    return found;
  }

  const isDay = (day: string | undefined) => (url: URL) =>
    url.searchParams.get('from') === day && url.searchParams.get('to') === day;

  it(
    'should open by hour on a click, with the same filters, and Back should return',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const [first, last] = await recordTwoDays();
      const filter = `apiKeyId=${encodeURIComponent(JSON.stringify([key.id]))}`;
      await visitor.visit(member, `/dashboard/usage?measure=requests&groupBy=model&${filter}`);
      const byDay = page.getByRole('img', { name: /^Requests by day/ });
      const byHour = page.getByRole('img', { name: /^Requests by hour/ });
      const bars = byDay.locator(bar);
      await bars.first().hover();
      await expect(page.getByText('Click to see this day by hour')).toBeVisible();
      expect(await readStyle(bars.first(), 'cursor')).toBe('pointer');
      await bars.first().click();
      await page.waitForURL(isDay(first));
      await expect(byHour.locator('svg')).toBeVisible();
      expect(filterInUrl(page.url(), 'apiKeyId')).toEqual([key.id]);
      expect(new URL(page.url()).searchParams.get('groupBy')).toBe('model');
      expect(await readTotal(page, 'Requests')).toMatch(/^Requests\s+3\s/);
      const hour = byHour.locator(bar).first();
      const tooltip = page.locator('.recharts-tooltip-wrapper');
      // Until the mouse moves, or it would be that of another hour.
      await expect(tooltip).toBeHidden();
      await hour.hover();
      await expect(tooltip).toBeVisible();
      await hour.click();
      await expect(page.getByText('Click to see this day by hour')).toBeHidden();
      expect(isDay(first)(new URL(page.url()))).toBe(true);
      await page.goBack();
      // Once it has stopped moving.
      await bars.last().hover();
      const [box, chart] = [await findBox(bars.last()), await findBox(byDay)];
      // Above the bar.
      await page.mouse.click(box.x + box.width / 2, chart.y + 20);
      await page.waitForURL(isDay(last));
      await expect(byHour.locator('svg')).toBeVisible();
    }),
  );

  it(
    'should show its numbers on a tap, and open on another one',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const [first, last] = await recordTwoDays();
      await visitor.visit(member, '/dashboard/usage?measure=requests');
      const bars = page.getByRole('img', { name: /^Requests by day/ }).locator(bar);
      const tooltip = page.locator('.recharts-tooltip-wrapper');
      await bars.first().tap();
      await expect(tooltip.getByText('3', { exact: true })).toBeVisible();
      await bars.last().tap();
      await expect(tooltip.getByText('2', { exact: true })).toBeVisible();
      await expect(tooltip.getByText('Tap again to see this day by hour')).toBeVisible();
      await expect(tooltip.getByText('Click to see')).toBeHidden();
      const box = await tooltip.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? NaN) + (box?.width ?? NaN)).toBeLessThanOrEqual(narrowWindow.viewport.width);
      expect(isDay(last)(new URL(page.url()))).toBe(false);
      await bars.last().tap();
      await page.waitForURL(isDay(last));
      await page.goBack();
      await bars.first().tap();
      await expect(tooltip.getByText('3', { exact: true })).toBeVisible();
      await page.getByRole('heading', { name: 'Requests' }).tap();
      await expect(tooltip).toBeHidden();
      await bars.first().tap();
      await expect(tooltip.getByText('3', { exact: true })).toBeVisible();
      await bars.first().tap();
      await page.waitForURL(isDay(first));
    }, narrowWindow),
  );

  it(
    'should stay in view with the headers of its row while the table scrolls sideways',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      for (const name of ['A key with a long name', 'Another key with a long name']) {
        const { id: apiKeyId } = await createApiKey(dashboard.service, member, name);
        await record('2026-01-30T10:00:00Z', ...facts(3, { apiKeyId }));
      }
      await visitor.visit(member, `/dashboard/usage?${january}&measure=requests&groupBy=apiKey`);
      await openTable(page, 'Requests');
      const region = page.getByRole('region', { name: 'Requests table' });
      await region.scrollIntoViewIfNeeded();
      expect(await page.evaluate<string[]>(readCoveredHeaders)).toEqual([]);
    }, narrowWindow),
  );

  it(
    'should be a link in the table, for the keyboard, which keeps the focus in the table',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await record('2026-01-30T10:00:00Z', ...facts(3));
      await visitor.visit(member, `/dashboard/usage?${january}&measure=requests`);
      await openTable(page, 'Requests');
      const link = page.getByRole('link', { name: 'Fri, 30 Jan 2026' });
      await link.press('Enter');
      await page.waitForURL(isDay('2026-01-30'));
      await expect(link).toBeHidden();
      await expect(page.getByRole('region', { name: 'Requests table' })).toBeFocused();
      expect(await readTable(page, 'Requests')).toEqual([
        ['Day', 'Requests'],
        ['Whole range', '3'],
        ['Fri, 30 Jan 2026', '3'],
      ]);
      await page.goBack();
      await expect(link).toBeVisible();
    }),
  );
});
