import type { Locator } from 'playwright-core';

interface BrowserWindow {
  getComputedStyle: (element: object) => Record<string, string>;
}

/** Reads a computed style of an element, such as `textDecorationLine`. */
export function readStyle(locator: Locator, property: string): Promise<string | undefined> {
  return locator.evaluate(
    (element: object, name) => (globalThis as unknown as BrowserWindow).getComputedStyle(element)[name],
    property,
  );
}
