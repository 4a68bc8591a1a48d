import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../../test/browser/setup/launch-browser.js';
import type { BenchDatabase } from '../data/bench-database.js';
import { insertMember } from '../data/bench-member.js';
import { insertKnownKeys, organizationOf } from '../data/keys.js';
import { withChildren } from '../processes/child.js';
import { median } from '../rounds.js';
import { type Row, valueRow } from '../row.js';
import type { KeycardSettings, Listening } from '../servers/keycard.js';

const rounds = 5;
/** Lighthouse's slow 4G connection. */
const network = { latency: 150, downloadThroughput: (1.6 * 1024 * 1024) / 8, uploadThroughput: (750 * 1024) / 8 };
const credentials = { email: 'visitor@example.com', password: 'correct horse battery staple' };
const scripts = { service: new URL('../servers/keycard.js', import.meta.url) };

interface Visit {
  /** From opening the URL to the password form. */
  signInSeconds: number;
  /** From submitting the password to the keys. */
  keysSeconds: number;
  /** From opening the URL to the keys, with a session and cached files. */
  nextVisitSeconds: number;
}

/** Measures loading the dashboard on a slow connection. */
export function measureFirstVisit({ client, connection }: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async ({ service }) => {
    const settings: KeycardSettings = { database: connection };
    const { url } = await service.run<Listening>(settings);
    const [key = ''] = await insertKnownKeys(client);
    await insertMember(client, await organizationOf(client, key), { credentials });
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
    await first.getByLabel('Email address').fill(credentials.email);
    await first.getByRole('textbox', { name: 'Password' }).fill(credentials.password);
    const keysSeconds = await secondsUntil(first, 'A known key', () => first.keyboard.press('Enter'));
    await first.close();
    const next = await openPage(context);
    const nextVisitSeconds = await secondsUntil(next, 'A known key', () => next.goto(url, { waitUntil: 'commit' }));
    return { signInSeconds, keysSeconds, nextVisitSeconds };
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
      2.5,
    ),
    row(
      'Dashboard: list of keys after signing in',
      'from the Enter key to the first row.',
      (visit) => visit.keysSeconds,
      1,
    ),
    row(
      'Dashboard: list of keys on the next visit',
      'from opening the URL to the first row, with a session and cached files.',
      (visit) => visit.nextVisitSeconds,
      2.5,
    ),
  ];
}
