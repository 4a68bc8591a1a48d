import type { NamedModel } from '../../../common/models/models.js';
import { createGenerationSamples } from '../../../common/generation/generation-samples.js';
import type { Snippet } from '../../../ui/snippet.js';
import { createOcrSnippets } from './ocr-snippets.js';
import { anthropicEnvironmentFile, createSnippets, environmentFile, type SnippetOptions } from './snippets.js';

const example = { system: '', messages: [{ role: 'user', content: 'Say hello.' }] } as const;

/**
 * Creates code samples for the first generation model, because operators add those on purpose, or else for embeddings,
 * or else for OCR. Without a model, the samples list the models.
 */
export function chooseSnippets(models: readonly NamedModel[], options: Omit<SnippetOptions, 'model'>): Snippet[] {
  const first = (wanted: NamedModel['task']) => models.find(({ task }) => task === wanted);
  const [generation, embeddings, ocr] = [first('generation'), first('embeddings'), first('ocr')];
  if (generation !== undefined) {
    const { routes } = generation.served;
    const request = { model: generation.id, ...example };
    const files = [
      ...(routes.some((route) => route !== 'messages') ? [environmentFile(options)] : []),
      ...(routes.includes('messages') ? [anthropicEnvironmentFile(options)] : []),
    ];
    return [
      ...createGenerationSamples({ ...options, routes, request }),
      { language: '.env', code: files.join('\n\n') },
    ];
  }
  if (embeddings === undefined && ocr !== undefined) return createOcrSnippets({ ...options, model: ocr.id });
  return createSnippets({ ...options, model: embeddings?.id });
}
