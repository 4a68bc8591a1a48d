import { useState } from 'react';

interface ModelChoice {
  /** `undefined` without models. */
  model: string | undefined;
  choose: (model: string) => void;
}

/** The selected model, the first one by default. */
export function useModelChoice(models: string[] | undefined): ModelChoice {
  const [chosen, choose] = useState<string>();
  return { model: models?.find((id) => id === chosen) ?? models?.[0], choose };
}
