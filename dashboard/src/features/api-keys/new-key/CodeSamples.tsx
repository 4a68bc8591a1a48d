import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { namedModels, servedModelsQuery } from '../../../common/models/models.js';
import { CodeTabs } from '../../../ui/CodeTabs.js';
import { chooseSnippets } from './choose-snippets.js';

interface CodeSamplesProps {
  apiKey: string;
  /** What the key may use; all models if it is null or undefined. */
  allowedModels?: string[] | null | undefined;
}

/** Code samples that use a key, for a model that it may use. */
export function CodeSamples({ apiKey, allowedModels }: CodeSamplesProps) {
  const { data, isLoading } = useQuery(servedModelsQuery);
  if (isLoading) return <Skeleton height={180} />;
  const allowed = namedModels(data ?? { models: [] }).filter(({ id }) => allowedModels?.includes(id) ?? true);
  return <CodeTabs snippets={chooseSnippets(allowed, { origin: window.location.origin, apiKey })} />;
}
