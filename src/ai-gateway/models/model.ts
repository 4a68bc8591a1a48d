import type { Task } from '../../common/rules/tasks.js';
import type { GenerationSettings, ModelDefinition, UpstreamTarget } from '../../config/model-definition.js';
import type { ServedByEngine } from '../../engines/engines.module.js';

/** Served by upstreams. */
interface Upstream {
  readonly targets: readonly UpstreamTarget[];
}

/** Tasks without engines have none. */
type EngineOf<T extends Task> = Extract<ServedByEngine, { task: T }>['servedBy'];

/** A model of a task. */
export interface ModelOf<T extends Task> extends Pick<
  ModelDefinition,
  'id' | 'aliases' | 'ownedBy' | 'createdSeconds' | 'languages' | 'price' | keyof GenerationSettings
> {
  readonly task: T;
  readonly servedBy: EngineOf<T> | Upstream;
}

/** A model that clients can name. */
export type Model = { [T in Task]: ModelOf<T> }[Task];
