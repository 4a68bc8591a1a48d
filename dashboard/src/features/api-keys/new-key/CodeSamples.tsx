import { Skeleton, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CodeSnippet } from '../../../ui/CodeSnippet.js';
import { namedModels, servedModelsQuery } from '../../../common/models/models.js';
import { createOcrSnippets } from './ocr-snippets.js';
import { createSnippets } from './snippets.js';

interface CodeSamplesProps {
  apiKey: string;
  /** What the key may use; all models if it is null or undefined. */
  allowedModels?: string[] | null | undefined;
}

/** Code samples that use a key: for embeddings, if it may use them, with the lines of an `.env` file, or else for OCR. */
export function CodeSamples({ apiKey, allowedModels }: CodeSamplesProps) {
  const { data, isLoading } = useQuery(servedModelsQuery);
  if (isLoading) return <Skeleton height={180} />;
  const allowed = namedModels(data ?? { models: [] }).filter(({ id }) => allowedModels?.includes(id) ?? true);
  const embeddings = allowed.find(({ task }) => task === 'embeddings');
  const ocr = allowed.find(({ task }) => task === 'ocr');
  const options = { origin: window.location.origin, apiKey };
  // Without a model, the samples list the models.
  const snippets =
    embeddings === undefined && ocr !== undefined
      ? createOcrSnippets({ ...options, model: ocr.id })
      : createSnippets({ ...options, model: embeddings?.id });
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
          <CodeSnippet code={code} label={`${language} example`} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
