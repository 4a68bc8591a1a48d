import type { Store } from '../../api/store.js';

interface ModelChoice {
  /** `undefined` without models. */
  model: string | undefined;
  choose: (model: string) => void;
}

/** The selected model, the first one by default. */
export function useModelChoice(
  models: string[] | undefined,
  [chosen, { set: choose }]: [string | undefined, Store<string | undefined>],
): ModelChoice {
  return { model: models?.find((id) => id === chosen) ?? models?.[0], choose };
}
