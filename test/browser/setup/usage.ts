import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';

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
  await card.getByRole('table').waitFor();
  const rows = await card.getByRole('table').getByRole('row').all();
  return Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
}

/** Downloads the CSV file of a chart and returns its name and its cells by line. */
export async function downloadCsv(page: Page, title: string): Promise<{ name: string; lines: string[][] }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    chartCard(page, title).getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  return { name: download.suggestedFilename(), lines: lines.map((line) => line.replaceAll('"', '').split(',')) };
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
