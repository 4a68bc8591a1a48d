import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { readCsv } from '../../usage/read-csv.js';

/** Reads one of the totals at the top. */
export function readTotal(page: Page, label: string): Promise<string> {
  return page.getByRole('group', { name: label, exact: true }).innerText();
}

function chartCard(page: Page, title: string): Locator {
  return page.getByRole('region', { name: title, exact: true });
}

/** Opens the table below a chart and returns its cells by row. */
export async function openTable(page: Page, title: string): Promise<string[][]> {
  const card = chartCard(page, title);
  await card.getByRole('button', { name: 'Show table' }).click();
  return readTable(page, title);
}

/** Returns the cells of the open table below a chart, by row. */
export async function readTable(page: Page, title: string): Promise<string[][]> {
  const card = chartCard(page, title);
  await card.getByRole('table').waitFor();
  const rows = await card.getByRole('table').getByRole('row').all();
  return Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
}

/** Shows a measure in the chart. */
export async function showMeasure(page: Page, title: string): Promise<void> {
  await page.getByRole('radio', { name: title, exact: true }).check();
  await chartCard(page, title).waitFor();
}

/** Downloads the CSV file of the page and returns its name, its text and its rows. */
export async function exportCsv(page: Page): Promise<{ name: string; text: string; rows: Record<string, string>[] }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  const text = await readFile(await download.path(), 'utf8');
  return { name: download.suggestedFilename(), text, rows: readCsv(text.replace(/^\ufeff/, '')) };
}

/** A selected value of a filter. */
export function selectedValue(page: Page, label: string): Locator {
  return page.locator('.mantine-MultiSelect-pill').getByText(label, { exact: true });
}

/** The values of a filter in the URL. */
export function filterInUrl(url: URL | string, name: string): unknown {
  return JSON.parse(new URL(url).searchParams.get(name) ?? 'null');
}

/**
 * Returns the top of the first bar of each series, once the chart shows that many. Reads them at the same time: the chart
 * without groups also has a first series, and the page may move while it loads.
 */
export async function topsOfBars(page: Page, title: string, seriesCount: number): Promise<number[]> {
  const bar = (_: unknown, index: number) =>
    `section[aria-label="${title}"] path.recharts-rectangle[fill="var(--series-${index + 1})"]`;
  const selectors = Array.from({ length: seriesCount }, bar);
  await page
    .locator(selectors.at(-1) ?? '')
    .first()
    .waitFor();
  const top = '(selector) => document.querySelector(selector)?.getBoundingClientRect().y ?? NaN';
  return page.evaluate<number[]>(`${JSON.stringify(selectors)}.map(${top})`);
}
