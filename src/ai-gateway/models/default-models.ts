import type { ModelDefinition } from './model-definition.js';

/** The embedded models, which are served when the operator names no others. */
export function defaultModels(): ModelDefinition[] {
  return [
    {
      id: 'universal-sentence-encoder-lite',
      aliases: [],
      task: 'embeddings',
      ownedBy: 'keycard',
      // arXiv 1803.11175
      createdSeconds: 1_522_281_600,
      servedBy: { engine: 'universal-sentence-encoder-lite' },
    },
  ];
}
