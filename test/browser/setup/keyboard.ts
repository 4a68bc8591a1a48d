import type { Locator, Page } from 'playwright-core';

const maxTabs = 150;

/**
 * Presses Tab until an element has the focus, as somebody without a pointer does.
 *
 * @throws Error if the element can't be reached
 */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  // Fields may be invisible, with a label that's drawn instead.
  await target.first().waitFor({ state: 'attached' });
  for (let count = 0; count < maxTabs; count += 1) {
    await page.keyboard.press('Tab');
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
  }
  throw new Error(`Tab doesn't reach ${String(target)}.`);
}

/** Moves the focus to an element with Tab and presses a key there. */
export async function tabToAndPress(page: Page, target: Locator, key: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}
