import { Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { CodeSnippet } from '../../../ui/CodeSnippet.js';
import { createSnippets } from './snippets.js';
import { useEmbeddingsModel } from './use-embeddings-model.js';

/** Code samples in three languages that use the new key. */
export function CodeSamples({ apiKey }: { apiKey: string }) {
  const { model, isLoading } = useEmbeddingsModel(apiKey);
  if (isLoading) return <Skeleton height={180} />;
  const snippets = createSnippets({ origin: window.location.origin, apiKey, model });
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        Try it
      </Text>
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
    </Stack>
  );
}
