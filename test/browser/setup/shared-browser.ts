import type { Browser } from 'playwright-core';
import { launchBrowser } from './launch-browser.js';

/** Long enough for the next test file to start. A worker whose browser is open can't exit. */
const idleMilliseconds = 2000;

let browser: Browser | undefined;
let users = 0;
let closing: NodeJS.Timeout | undefined;

/** Returns the browser that the test files of this worker share. Each visitor has a profile of its own. */
export async function borrowBrowser(): Promise<Browser> {
  clearTimeout(closing);
  if (browser?.isConnected() !== true) browser = await launchBrowser();
  users += 1;
  return browser;
}

/** Closes the browser unless another test file borrows it soon. */
export function returnBrowser(): void {
  users -= 1;
  if (users > 0) return;
  closing = setTimeout(() => {
    void browser?.close();
    browser = undefined;
  }, idleMilliseconds);
}
