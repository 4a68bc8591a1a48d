import type { MeterName } from '../../common/rules/meters.js';
import type { Task } from '../../common/rules/tasks.js';
import type { UpstreamTarget } from '../../config/model-definition.js';
import type { ModelRequest } from '../body/model-request.js';
import type { JsonEdit } from '../json/json-edit.js';

/** How upstreams are asked to do a task, and how they report what it used. */
export interface UpstreamProtocol {
  readonly task: Task;
  /** Follows the base URL of the target. */
  readonly path: `/${string}`;
  /** Headers with Keycard's credential. None of the client's headers are forwarded, so that no secret is. */
  readonly authenticate: (apiKey: string) => Readonly<Record<string, string>>;
  /** What a target gets instead of what the client sent, in order. Everything else is forwarded unchanged. */
  readonly edit: (body: ModelRequest, target: UpstreamTarget) => readonly JsonEdit[];
  /** The fields of the response that report amounts: paths of one or two keys, in lower case. The last one counts. */
  readonly usageFields: ReadonlyMap<string, MeterName>;
}

/** OpenAI's authentication, which others have adopted. */
export function bearer(apiKey: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${apiKey}` };
}

/** The only edit that all tasks need: the upstream has its own name for the model. */
export function useModelOfTarget(body: ModelRequest, { model }: UpstreamTarget): readonly JsonEdit[] {
  return body.renameModel(model);
}
