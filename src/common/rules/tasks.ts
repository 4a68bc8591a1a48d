import type { MeterName } from './meters.js';

/**
 * What models do. The models file, prices, OpenAPI and spans follow from this list; the folders in `src/ai-gateway/tasks`
 * do the work.
 */

interface TaskDefinition {
  /** Its route, which takes POST; the default one if its models choose. */
  readonly route: `/v1/${string}`;
  /** What its requests use, and what models can therefore have a price for. */
  readonly meters: readonly MeterName[];
  /** Its name among the capabilities of models in Mistral's API, which has none for some tasks. */
  readonly capability?: 'completion_chat' | 'ocr';
  /** Its name in OpenTelemetry's conventions for generative AI, which don't know all tasks. */
  readonly operation?: 'chat' | 'embeddings';
}

const definitions = {
  embeddings: { route: '/v1/embeddings', meters: ['inputTokens'], operation: 'embeddings' },
  ocr: { route: '/v1/ocr', meters: ['pages'], capability: 'ocr' },
  generation: {
    route: '/v1/chat/completions',
    meters: [
      'inputTokens',
      'cachedInputTokens',
      'cacheWriteTokens',
      'cacheWrite1hTokens',
      'outputTokens',
      'reasoningTokens',
    ],
    capability: 'completion_chat',
    operation: 'chat',
  },
} as const satisfies Record<string, TaskDefinition>;

/** What a model does; decides which route serves it. */
export type Task = keyof typeof definitions;

export const taskDefinitions: Readonly<Record<Task, TaskDefinition>> = definitions;

export const tasks = Object.keys(definitions) as Task[];

/** The routes of text generation, after `/v1/`. A model serves those that its upstreams speak. */
export const generationRoutes = ['chat/completions', 'completions', 'responses', 'messages'] as const;
export type GenerationRoute = (typeof generationRoutes)[number];

/** The routes of all tasks, for descriptions. */
export const taskRoutes = tasks.map((task) => `\`POST ${taskDefinitions[task].route}\``).join(', ');
