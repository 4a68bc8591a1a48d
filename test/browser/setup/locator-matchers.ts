import type { Locator } from 'playwright-core';

// Like the assertions of @playwright/test, these wait until the condition holds.
expect.extend({
  toBeVisible: (locator: Locator) => waitFor(locator, 'visible'),
  toBeHidden: (locator: Locator) => waitFor(locator, 'hidden'),
  toBeFocused: (locator: Locator) => waitFor(locator.and(locator.page().locator(':focus')), 'visible'),
});

async function waitFor(locator: Locator, state: 'visible' | 'hidden'): Promise<jest.CustomMatcherResult> {
  try {
    await locator.waitFor({ state });
    return { pass: true, message: () => `${String(locator)} is ${state}` };
  } catch (error) {
    return { pass: false, message: () => String(error) };
  }
}
