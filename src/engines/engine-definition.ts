import type { Task } from '../common/rules/tasks.js';
import type { StaticOptions } from './embeddings/static/options.js';
import type { TransformersOptions } from './embeddings/transformers/options.js';

/** How a model runs inside Keycard. */
export type EngineDefinition =
  | { readonly engine: 'universal-sentence-encoder-lite' }
  | { readonly engine: 'tesseract' | 'tesseract-native'; readonly languages: readonly string[] | 'auto' }
  | ({ readonly engine: 'static' } & Readonly<StaticOptions>)
  | ({ readonly engine: 'transformers' } & Readonly<TransformersOptions>);

export type EngineName = EngineDefinition['engine'];

/** The task of each engine. */
export const engineTasks = {
  'universal-sentence-encoder-lite': 'embeddings',
  tesseract: 'ocr',
  'tesseract-native': 'ocr',
  static: 'embeddings',
  transformers: 'embeddings',
} as const satisfies Record<EngineName, Task>;

/** Languages of bundled models. */
export const engineLanguages: Partial<Record<EngineName, readonly string[]>> = {
  'universal-sentence-encoder-lite': ['en'],
};
