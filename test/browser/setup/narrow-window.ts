import type { Page } from 'playwright-core';
import type { VisitorOptions } from './visitor.js';

/** The smallest window the dashboard supports, on a phone, whose layout grows with elements that are too wide. */
export const narrowWindow = {
  viewport: { width: 360, height: 740 },
  isMobile: true,
  hasTouch: true,
} satisfies VisitorOptions;

/** Returns how many pixels wider the page is than its window: 0 if it doesn't scroll sideways. */
export function measureOverflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - screen.width');
}
