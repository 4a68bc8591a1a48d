import type { ModelDefinition } from '../../../config/model-definition.js';
import { engineTasks, tasks } from '../../../config/model-definition.js';
import { type EngineContext, parseEngine } from './parse-engine.js';
import { parseTargets, type TargetContext } from './parse-targets.js';
import { day, listOf, name, oneOf } from './rules.js';
import { Section } from './section.js';

/** What the file does not say. */
export type ModelsFileContext = EngineContext & TargetContext;

/**
 * The models of a file that was parsed as YAML.
 *
 * @param mistakes where everything that is wrong is added, as sentences that begin with the place in the file; when
 *   there are any, the result is not complete
 */
export function parseModels(content: unknown, context: ModelsFileContext, mistakes: string[]): ModelDefinition[] {
  const file = Section.of(content, '', mistakes);
  if (file === undefined) return [];
  const sections = file.children('models');
  file.refuseOthers();
  const models = sections.map((section) => {
    const model = parseModel(section, context);
    section.refuseOthers();
    return model;
  });
  refuseRepeatedNames(sections, models);
  return models.filter((model) => model !== undefined);
}

function parseModel(section: Section, context: ModelsFileContext): ModelDefinition | undefined {
  const id = section.required('id', name);
  const served = parseServedBy(section, id ?? '', context);
  const model = {
    aliases: section.optional('aliases', listOf(name), []),
    ownedBy: section.optional('ownedBy', name, 'keycard'),
    createdSeconds: section.optional('created', day, 0),
  };
  return id === undefined || served === undefined ? undefined : { id, ...model, ...served };
}

type Served = Pick<ModelDefinition, 'task' | 'servedBy'>;

function parseServedBy(section: Section, id: string, context: ModelsFileContext): Served | undefined {
  const hasTargets = section.has('targets');
  if (section.has('engine') === hasTargets) section.refuse('engine', 'or targets must be given, and not both');
  const task = section.has('task') || hasTargets ? section.required('task', oneOf(tasks)) : undefined;
  const targets = hasTargets ? parseTargets(section, id, context) : undefined;
  const engine = section.has('engine') ? parseEngine(section, context) : undefined;
  if (targets !== undefined) return task === undefined ? undefined : { task, servedBy: { targets } };
  if (engine === undefined) return undefined;
  const implied = engineTasks[engine.engine];
  if (task !== undefined && task !== implied) section.refuse('task', `must be ${implied}, which the engine is for`);
  return { task: implied, servedBy: engine };
}

/** Ids and aliases are one set of names. */
function refuseRepeatedNames(sections: readonly Section[], models: readonly (ModelDefinition | undefined)[]): void {
  const owners = new Map<string, number>();
  models.forEach((model, index) => {
    const names = model === undefined ? [] : [model.id, ...model.aliases];
    names.forEach((taken, place) => {
      const owner = owners.get(taken);
      const field = place === 0 ? 'id' : `aliases[${place - 1}]`;
      if (owner !== undefined) sections[index]?.refuse(field, `is '${taken}', which models[${owner}] is called too`);
      owners.set(taken, owner ?? index);
    });
  });
}
