import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../../test/browser/setup/launch-browser.js';
import type { BenchDatabase } from '../data/bench-database.js';
import { insertMember, insertNamedMembers } from '../data/bench-member.js';
import { insertKnownKeys, organizationOf } from '../data/keys.js';
import { withChildren } from '../processes/child.js';
import { median } from '../rounds.js';
import { type Row, valueRow } from '../row.js';
import type { KeycardSettings, Listening } from '../servers/keycard.js';

const rounds = 5;
/** Lighthouse's slow 4G connection. */
const network = { latency: 150, downloadThroughput: (1.6 * 1024 * 1024) / 8, uploadThroughput: (750 * 1024) / 8 };
/** Lighthouse's slow phone. */
const cpuSlowdown = 4;
const credentials = { email: 'visitor@example.com', password: 'correct horse battery staple' };
/** With the visitor, as many members as a page of the list can show. */
const names = Array.from({ length: 99 }, (_, index) => `Member ${index + 1}`);
const scripts = { service: new URL('../servers/keycard.js', import.meta.url) };

interface Visit {
  /** From opening the URL to the password form. */
  signInSeconds: number;
  /** From submitting the password to the overview. */
  overviewSeconds: number;
  /** From opening the URL to the keys, with a session and cached files. */
  nextVisitSeconds: number;
  /** Largest contentful paint of the overview, with a session, an empty cache and a slow processor. */
  overviewPaintSeconds: number;
  /** The same for the keys. */
  keysPaintSeconds: number;
  /** The same for the usage page. */
  usagePaintSeconds: number;
  /** From opening the URL of the API reference to its first operation, with an empty cache and a slow processor. */
  referenceSeconds: number;
  /** From choosing 100 members per page to the last of them, with a slow processor. */
  membersSeconds: number;
}

/** Measures loading the dashboard on a slow connection. */
export function measureFirstVisit({ client, connection }: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async ({ service }) => {
    const settings: KeycardSettings = { database: connection };
    const { url } = await service.run<Listening>(settings);
    const [key = ''] = await insertKnownKeys(client);
    const organizationId = await organizationOf(client, key);
    await insertMember(client, organizationId, {
      credentials,
      permissions: ['get-api-keys', 'get-usage', 'get-members', 'get-roles', 'update-members', 'delete-members'],
    });
    await insertNamedMembers(client, organizationId, names);
    await client.query(
      `insert into usage (organization_id, hour, api_key_id, model, latency_bucket, requests, failures, limited,
         input_tokens, pages, microseconds)
       select organization_id, date_trunc('hour', now()), id, 'a-model', 60, 100, 1, 0, 1000, 0, 9000000
       from api_keys where organization_id = $1`,
      [organizationId],
    );
    const browser = await launchBrowser();
    try {
      // Warms up the browser.
      await visit(browser, url);
      const visits: Visit[] = [];
      for (let round = 0; round < rounds; round += 1) visits.push(await visit(browser, url));
      return toRows(visits);
    } finally {
      await browser.close();
    }
  });
}

/** A user's first two visits, with a new browser profile. */
async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext();
  try {
    const first = await openPage(context);
    const signInSeconds = await secondsUntil(first, 'Password', () => first.goto(url, { waitUntil: 'commit' }));
    await first.getByLabel('Email').fill(credentials.email);
    await first.getByRole('textbox', { name: 'Password' }).fill(credentials.password);
    const overviewSeconds = await secondsUntil(first, 'Requests', () => first.keyboard.press('Enter'));
    await first.close();
    const next = await openPage(context);
    const nextVisitSeconds = await secondsUntil(next, 'A known key', () =>
      next.goto(`${url}/dashboard/keys`, { waitUntil: 'commit' }),
    );
    await next.close();
    const overviewPaintSeconds = await secondsUntilPaint(browser, context, `${url}/dashboard`, 'Requests');
    const keysPaintSeconds = await secondsUntilPaint(browser, context, `${url}/dashboard/keys`, 'A known key');
    const usagePaintSeconds = await secondsUntilPaint(browser, context, `${url}/dashboard/usage`, 'Usage');
    const referenceSeconds = await secondsUntilReference(browser, `${url}/docs`);
    const membersSeconds = await secondsUntilMembers(context, `${url}/dashboard/members`);
    return {
      signInSeconds,
      overviewSeconds,
      nextVisitSeconds,
      overviewPaintSeconds,
      keysPaintSeconds,
      usagePaintSeconds,
      referenceSeconds,
      membersSeconds,
    };
  } finally {
    await context.close();
  }
}

async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', { offline: false, ...network });
  return page;
}

/** Measures a page in a new browser profile that takes over a session. */
async function secondsUntilPaint(browser: Browser, signedIn: BrowserContext, url: string, text: string) {
  const context = await browser.newContext();
  try {
    await context.addCookies(await signedIn.cookies());
    const page = await openPage(context);
    await slowDown(context, page);
    await page.goto(url, { waitUntil: 'commit' });
    await page.getByText(text, { exact: true }).first().waitFor();
    const milliseconds = await page.evaluate<number>(readLargestPaint);
    // The session cookie has been rotated.
    await signedIn.addCookies(await context.cookies());
    return milliseconds / 1000;
  } finally {
    await context.close();
  }
}

async function secondsUntilReference(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext();
  try {
    const page = await openPage(context);
    await slowDown(context, page);
    const start = performance.now();
    await page.goto(url, { waitUntil: 'commit' });
    await page.locator('.opblock-summary-control').first().waitFor();
    return (performance.now() - start) / 1000;
  } finally {
    await context.close();
  }
}

async function secondsUntilMembers(context: BrowserContext, url: string): Promise<number> {
  const page = await openPage(context);
  await page.goto(url);
  await page.getByText('Member 1', { exact: true }).waitFor();
  await slowDown(context, page);
  return secondsUntil(page, names.at(-1) ?? '', () => page.getByLabel('Rows per page').selectOption('100'));
}

async function slowDown(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
}

/** Waits for later paints, such as when the font arrives. */
const readLargestPaint = `new Promise((resolve) => {
  let largest = 0;
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) largest = entry.startTime; })
    .observe({ type: 'largest-contentful-paint', buffered: true });
  setTimeout(() => resolve(largest), 5000);
})`;

/** Measures the time from an action until the page shows the text. */
async function secondsUntil(page: Page, text: string, act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await Promise.all([act(), page.getByText(text, { exact: true }).first().waitFor()]);
  return (performance.now() - start) / 1000;
}

function toRows(visits: Visit[]): Row[] {
  const connection = 'In Chromium with a round trip of 150 ms and 1.6 Mbit/s';
  const row = (what: string, explanation: string, figure: (visit: Visit) => number, limit: number) =>
    valueRow({ what, explanation: `${connection}: ${explanation}` }, median(visits.map(figure)), limit, 's');
  return [
    row(
      'Dashboard: sign-in page of a first visit',
      'from opening the URL to the form, with an empty cache.',
      (visit) => visit.signInSeconds,
      2,
    ),
    row(
      'Dashboard: overview after signing in',
      'from the Enter key to its figures.',
      (visit) => visit.overviewSeconds,
      1,
    ),
    row(
      'Dashboard: list of keys on the next visit',
      'from opening the URL to the first row, with a session and cached files.',
      (visit) => visit.nextVisitSeconds,
      1.5,
    ),
    row(
      'Dashboard: largest contentful paint of the overview',
      'with a session, an empty cache and a processor slowed down 4 times.',
      (visit) => visit.overviewPaintSeconds,
      2.5,
    ),
    row(
      'Dashboard: largest contentful paint of the list of keys',
      'with a session, an empty cache and a processor slowed down 4 times.',
      (visit) => visit.keysPaintSeconds,
      2.5,
    ),
    row(
      'Dashboard: largest contentful paint of the usage page',
      'with a session, an empty cache and a processor slowed down 4 times.',
      (visit) => visit.usagePaintSeconds,
      3,
    ),
    row(
      'API reference: first operation',
      'from opening the URL, with an empty cache and a processor slowed down 4 times.',
      (visit) => visit.referenceSeconds,
      4,
    ),
    row(
      'Dashboard: 100 members per page',
      'from choosing the number to the last row, with a processor slowed down 4 times.',
      (visit) => visit.membersSeconds,
      1,
    ),
  ];
}
