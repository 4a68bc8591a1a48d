import { Skeleton, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CodeSnippet } from '../../../ui/CodeSnippet.js';
import { namedModels, servedModelsQuery } from '../../models/models.js';
import { createSnippets } from './snippets.js';

interface CodeSamplesProps {
  apiKey: string;
  /** What the key may use; all models if it is null or undefined. */
  allowedModels?: string[] | null | undefined;
}

/** Code samples that use a key, in three languages, and its line of an `.env` file. */
export function CodeSamples({ apiKey, allowedModels }: CodeSamplesProps) {
  const { data, isLoading } = useQuery(servedModelsQuery);
  if (isLoading) return <Skeleton height={180} />;
  // Without a model, the samples list the models.
  const model =
    data && namedModels(data).find(({ id, task }) => task === 'embeddings' && (allowedModels?.includes(id) ?? true));
  const snippets = createSnippets({ origin: window.location.origin, apiKey, model: model?.id });
  // With the same height for all of them, the page or dialog doesn't move when another language is chosen.
  const minLines = Math.max(...snippets.map(({ code }) => code.split('\n').length));
  return (
    <Tabs defaultValue={snippets[0]?.language}>
      <Tabs.List mb="sm" aria-label="Languages">
        {snippets.map(({ language }) => (
          <Tabs.Tab key={language} value={language}>
            {language}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ language, code }) => (
        <Tabs.Panel key={language} value={language}>
          <CodeSnippet code={code} label={`${language} example`} minLines={minLines} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
