import { z } from 'zod';
import { nonEmptyList, wholeNumber } from '../../../common/validation/settings-schema.js';
import { type GenerationRoute, generationRoutes, type Task } from '../../../common/rules/tasks.js';
import {
  apiKeyHeaders,
  defaultGenerationRoutes,
  type GenerationSettings,
  type ModelDefinition,
  type OutputLimitField,
  outputLimitFields,
  type UpstreamTarget,
} from '../../../config/model-definition.js';

/** Of a whole request. Proxies in front of Keycard must wait longer. */
export const maxTimeoutSeconds = 600;
const maxConnectSeconds = 60;
/** More than any model can write. */
const largestOutput = 10_000_000;
/** More than any upstream counts for one part. */
const largestPart = 10_000_000;
/** Text takes longer to generate than a vector. */
const defaultTimeoutSeconds: Readonly<Record<Task, number>> = { embeddings: 60, ocr: 60, generation: 600 };

const allOutputLimitFields = [...new Set<OutputLimitField>(Object.values(outputLimitFields).flat())];
const partTokens = wholeNumber(1, largestPart).optional();

/** Fields of models that generate text. */
export const generationFields = (name: z.ZodType<string>) => ({
  routes: nonEmptyList(z.enum(generationRoutes)).optional(),
  maxOutputTokens: wholeNumber(1, largestOutput).optional(),
  mediaTokens: z.strictObject({ image: partTokens, audio: partTokens, file: partTokens }).optional(),
  fallbacks: nonEmptyList(name).optional(),
  contextFallback: name.optional(),
});

/** Fields of targets that generate text, and the timeouts of all targets. */
export const targetFields = {
  apiKeyHeader: z.enum(apiKeyHeaders).optional(),
  streamUsage: z.enum(['request', 'always', 'never']).optional(),
  onDisconnect: z.enum(['cancel', 'drain']).optional(),
  outputLimitField: z.enum(allOutputLimitFields).optional(),
  connectSeconds: wholeNumber(1, maxConnectSeconds).optional(),
  firstByteSeconds: wholeNumber(1, maxTimeoutSeconds).optional(),
  idleSeconds: wholeNumber(1, maxTimeoutSeconds).optional(),
  timeoutSeconds: wholeNumber(1, maxTimeoutSeconds).optional(),
};

const ofGeneration = [
  'apiKeyHeader',
  'streamUsage',
  'onDisconnect',
  'outputLimitField',
  'firstByteSeconds',
  'idleSeconds',
] as const;

type TargetInFile = Omit<UpstreamTarget, 'timeoutSeconds'> & { readonly timeoutSeconds?: number | undefined };

/** Returns the targets with the defaults of their task. Reports fields that the task doesn't have. */
export function completeTargets(
  task: Task,
  settings: GenerationSettings,
  targets: readonly TargetInFile[],
  check: z.RefinementCtx,
): UpstreamTarget[] {
  if (task !== 'generation') {
    rejectFields(task, settings, [], check);
    for (const [index, target] of targets.entries()) {
      const given = Object.fromEntries(ofGeneration.map((name) => [name, target[name]]));
      rejectFields(task, given, ['targets', index], check);
    }
  } else if (settings.maxOutputTokens === undefined) {
    const message = 'must be set: the most tokens that the model can write in one response';
    check.addIssue({ code: 'custom', path: ['maxOutputTokens'], message });
  }
  const { routes = defaultGenerationRoutes } = settings;
  if (task === 'generation') checkOutputLimitFields(routes, targets, check);
  const isAnthropic = task === 'generation' && routes.every((route) => route === 'messages');
  return targets.map(({ timeoutSeconds = defaultTimeoutSeconds[task], ...target }) => ({
    ...target,
    ...(isAnthropic && { apiKeyHeader: target.apiKeyHeader ?? 'x-api-key' }),
    timeoutSeconds,
  }));
}

/** Upstreams would reject a field of another route, or ignore the limit in it. */
function checkOutputLimitFields(
  routes: readonly GenerationRoute[],
  targets: readonly TargetInFile[],
  check: z.RefinementCtx,
): void {
  const known = [...new Set<OutputLimitField>(routes.flatMap((route) => outputLimitFields[route]))];
  for (const [index, { outputLimitField }] of targets.entries()) {
    if (outputLimitField === undefined || known.includes(outputLimitField)) continue;
    const message = `must be ${known.join(' or ')} for the routes ${routes.join(', ')}`;
    check.addIssue({ code: 'custom', path: ['targets', index, 'outputLimitField'], message });
  }
}

function rejectFields(task: Task, given: object, path: PropertyKey[], check: z.RefinementCtx): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const message = `must be omitted: it's for generation, and the task is ${task}`;
    check.addIssue({ code: 'custom', path: [...path, name], message });
  }
}

/** Fallbacks must be other models that generate text. */
export function checkFallbacks(models: readonly ModelDefinition[], check: z.RefinementCtx): void {
  const isOther = (id: string, owner: string) =>
    id !== owner && models.some((model) => model.id === id && model.task === 'generation');
  for (const [index, { id, fallbacks = [], contextFallback }] of models.entries()) {
    const message = 'must be the id of another model with the task generation';
    const report = (...path: PropertyKey[]) =>
      check.addIssue({ code: 'custom', path: ['models', index, ...path], message });
    for (const [place, other] of fallbacks.entries()) if (!isOther(other, id)) report('fallbacks', place);
    if (contextFallback !== undefined && !isOther(contextFallback, id)) report('contextFallback');
  }
}
