import type { SearchSchemaInput } from '@tanstack/react-router';
import { readChoice } from '../../lib/search-parameters.js';

/** URL parameters of the playground. */
interface PlaygroundSearch {
  task: 'embeddings' | 'ocr';
}

/** Defaults for missing URL parameters. */
export const playgroundSearchDefaults = { task: 'embeddings' } as const;

/** Reads the URL parameters. Invalid values become the defaults. */
export function readPlaygroundSearch(search: Partial<PlaygroundSearch> & SearchSchemaInput): PlaygroundSearch {
  return { task: readChoice(search.task, ['embeddings', 'ocr']) };
}
