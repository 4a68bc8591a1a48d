import type { ServedModel } from '../../api/schema.js';

const tasks = ['generation', 'embeddings', 'ocr'] as const satisfies readonly ServedModel['task'][];

/** Reads the task in the URL; undefined for any other value, so that the page chooses. */
export function readTask(value: unknown): ServedModel['task'] | undefined {
  return tasks.find((task) => task === value);
}
