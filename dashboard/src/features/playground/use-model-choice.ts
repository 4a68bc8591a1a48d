import { useState } from 'react';

interface ModelChoice {
  /** `undefined` while there are none. */
  model: string | undefined;
  choose: (model: string) => void;
}

/** Which of the models for a task is tried: the first, until another is chosen. */
export function useModelChoice(models: string[] | undefined): ModelChoice {
  const [chosen, choose] = useState<string>();
  return { model: models?.find((id) => id === chosen) ?? models?.[0], choose };
}
