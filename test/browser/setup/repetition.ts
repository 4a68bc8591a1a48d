import type { OpenAPIObject } from '@nestjs/swagger';
import type { Page } from 'playwright-core';
import { operationsOf } from '../../contract/operation-gaps.js';

/**
 * Has the API docs show a shorter document: without samples, whose colors are tens of thousands of elements, and without
 * the descriptions of an error that repeat an earlier one.
 */
export async function shortenDocument(page: Page, text: string): Promise<void> {
  const isSample = (key: string, value: unknown) => (key === 'example' || key === 'value') && typeof value === 'object';
  const document = JSON.parse(text, (key, value: unknown) => (isSample(key, value) ? {} : value)) as OpenAPIObject;
  const seen = new Set<string>();
  for (const { description } of operationsOf(document)) {
    const responses = Object.entries(description.responses);
    const isRepeated = (status: string) => /^[^23]/.test(status) && seen.has(status);
    description.responses = Object.fromEntries(responses.filter(([status]) => !isRepeated(status)));
    for (const [status] of responses) seen.add(status);
  }
  await page.route('**/openapi.json', (route) => route.fulfill({ json: document }));
}

/**
 * Removes parts of operations that are like others, because axe-core would take many seconds for all of them. Parts are
 * alike if they and the elements around them differ only in texts that aren't empty, ids and `data-` attributes.
 */
export const removeRepetition = (page: Page): Promise<void> => page.evaluate<undefined>(script);

const script = `(() => {
  const parts = '.opblock, .opblock-summary, .opblock-section, .opblock-section-header, .opblock-description-wrapper, ' +
    '.responses-wrapper, .opblock tr, .model-example, .response-controls, .headers-wrapper, .renderedMarkdown > *';
  const references = ['for', 'aria-controls', 'aria-describedby', 'aria-labelledby'];
  const texts = ['alt', 'aria-label', 'href', 'placeholder', 'title', 'value'];

  const ids = new Set(Array.from(document.querySelectorAll('[id]'), ({ id }) => id));

  const describe = ({ ownerElement, name, value }) => {
    if (name === 'id' || name.startsWith('data-')) return '';
    if (references.includes(name)) return name + '=' + value.split(' ').map((id) => ids.has(id)).join(' ');
    // A label is compared with the text of its element.
    const isText = name === 'aria-label' ? ownerElement.textContent.trim() === '' : texts.includes(name);
    return name + '=' + (isText && value.trim() !== '' ? '…' : value);
  };
  const tags = new Map();
  const tagOf = (element) => {
    if (!tags.has(element)) {
      tags.set(element, '<' + element.localName + ' ' + Array.from(element.attributes, describe).join(' ') + '>');
    }
    return tags.get(element);
  };
  const kindOf = (node) => {
    if (node instanceof Element) return tagOf(node) + Array.from(node.childNodes, kindOf).join('') + '</>';
    return node instanceof Text && node.data.trim() !== '' ? '…' : '';
  };
  const contextOf = (element) => (element === null ? '' : contextOf(element.parentElement) + tagOf(element));

  const seen = new Set();
  // In reverse, so that parts are compared without the parts in them.
  for (const part of Array.from(document.querySelectorAll(parts)).reverse()) {
    const kind = contextOf(part.parentElement) + kindOf(part);
    if (seen.has(kind)) part.remove();
    seen.add(kind);
  }
})()`;
