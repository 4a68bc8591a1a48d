import type { Page } from 'playwright-core';
import type { VisitorOptions } from './visitor.js';

/** The narrowest that the dashboard is made for. */
export const narrowWindow = { viewport: { width: 360, height: 740 } } satisfies VisitorOptions;

/** By how many pixels a page is wider than its window: then it has to be scrolled sideways. */
export function measureOverflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}
