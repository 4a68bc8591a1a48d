import type { SearchSchemaInput } from '@tanstack/react-router';
import { readChoice } from '../../lib/search-parameters.js';

/** What is being tried. */
interface PlaygroundSearch {
  task: 'embeddings' | 'ocr';
}

/** What an address without parameters shows. */
export const playgroundSearchDefaults = { task: 'embeddings' } as const;

/** What the address says; the default in place of what makes no sense. */
export function readPlaygroundSearch(search: Partial<PlaygroundSearch> & SearchSchemaInput): PlaygroundSearch {
  return { task: readChoice(search.task, ['embeddings', 'ocr']) };
}
