import { Tabs } from '@mantine/core';
import { IconFileText, IconGridDots, IconMessage } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import type { ServedModel } from '../../api/schema.js';
import { useMe } from '../../session/me.js';
import { PageHeader } from '../../ui/PageHeader.js';
import { namedModels, servedModelsQuery } from '../../common/models/models.js';
import { ChatTab } from './chat/ChatTab.js';
import { EmbeddingsTab } from './embeddings/EmbeddingsTab.js';
import { KeyCard } from './key/KeyCard.js';
import { usePlaygroundKey } from './key/use-playground-key.js';
import { OcrTab } from './ocr/OcrTab.js';
import { readTask } from './search.js';

const route = getRouteApi('/dashboard/playground');

/**
 * Sends requests to the AI endpoints with an API key. Leaving the page never asks for confirmation: the key, the input
 * and the results are still there when the user comes back.
 */
export function PlaygroundPage() {
  return <Playground key={useMe().organization.id} />;
}

function Playground() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { withKey, ...keyCard } = usePlaygroundKey();
  const { data, error, refetch } = useQuery(servedModelsQuery);
  const models = keyCard.chosen && data && namedModels(data);
  const modelsFor = (wanted: ServedModel['task']) => models?.filter(({ task }) => task === wanted);
  // Operators who add generation models want those first. Without any, the built-in models are at hand.
  const firstTask = data?.models.some(({ task }) => task === 'generation') ? 'generation' : 'embeddings';
  const shownTask = search.task ?? (data === undefined && error === null ? null : firstTask);
  const show = (next: string | null) => void navigate({ search: { task: readTask(next) }, replace: true });
  return (
    <>
      <PageHeader title="Playground" description="Try the models without writing any code." />
      <KeyCard {...keyCard} />
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      <Tabs value={shownTask} onChange={show}>
        <Tabs.List mb="lg">
          <Tabs.Tab value="generation" leftSection={<IconMessage size={16} aria-hidden />}>
            Chat
          </Tabs.Tab>
          <Tabs.Tab value="embeddings" leftSection={<IconGridDots size={16} aria-hidden />}>
            Embeddings
          </Tabs.Tab>
          <Tabs.Tab value="ocr" leftSection={<IconFileText size={16} aria-hidden />}>
            OCR
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="generation">
          <ChatTab models={modelsFor('generation')} withKey={withKey} />
        </Tabs.Panel>
        <Tabs.Panel value="embeddings">
          <EmbeddingsTab key={keyCard.chosen?.key} models={modelsFor('embeddings')} withKey={withKey} />
        </Tabs.Panel>
        <Tabs.Panel value="ocr">
          <OcrTab models={modelsFor('ocr')?.map(({ id }) => id)} withKey={withKey} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
