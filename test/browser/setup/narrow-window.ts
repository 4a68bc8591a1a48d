import type { Page } from 'playwright-core';
import type { VisitorOptions } from './visitor.js';

/** The smallest window the dashboard supports, on a phone, whose layout grows with elements that are too wide. */
export const narrowWindow = {
  viewport: { width: 360, height: 740 },
  isMobile: true,
  hasTouch: true,
} satisfies VisitorOptions;

/** The window of a common phone. */
export const phone = { viewport: { width: 390, height: 740 } } satisfies VisitorOptions;

/** Returns how many pixels wider the page is than its window: 0 if it doesn't scroll sideways. */
export function measureOverflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - screen.width');
}

/** Lists the words in the elements that take two lines. */
export function listBrokenWords(page: Page, selector: string): Promise<string[]> {
  return page.evaluate<string[]>(`(${findBroken})(${JSON.stringify(selector)}, /[a-z]+/g)`);
}

/** Lists the numbers in the elements that take two lines, with their currency symbols. */
export function listBrokenNumbers(page: Page, selector: string): Promise<string[]> {
  return page.evaluate<string[]>(`(${findBroken})(${JSON.stringify(selector)}, /\\p{Sc}?\\d[\\d.,]*/gu)`);
}

const findBroken = `(selector, pattern) => [...document.querySelectorAll(selector)].flatMap((element) => {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const broken = [];
  while (texts.nextNode()) {
    const node = texts.currentNode;
    for (const { 0: word, index } of node.data.matchAll(pattern)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (range.getClientRects().length > 1) broken.push(word);
    }
  }
  return broken;
})`;
