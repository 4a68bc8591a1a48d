import { Tabs } from '@mantine/core';
import { IconFileText, IconGridDots } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { useMe } from '../../session/me.js';
import { PageHeader } from '../../ui/PageHeader.js';
import { namedModels, servedModelsQuery } from '../../common/models/models.js';
import { EmbeddingsTab } from './embeddings/EmbeddingsTab.js';
import { KeyCard } from './key/KeyCard.js';
import { usePlaygroundKey } from './key/use-playground-key.js';
import { OcrTab } from './ocr/OcrTab.js';

const route = getRouteApi('/dashboard/playground');

/**
 * Sends requests to the AI endpoints with an API key. Leaving the page never asks for confirmation: the key, the input
 * and the results are still there when the user comes back.
 */
export function PlaygroundPage() {
  return <Playground key={useMe().organization.id} />;
}

function Playground() {
  const { task } = route.useSearch();
  const navigate = route.useNavigate();
  const { withKey, ...keyCard } = usePlaygroundKey();
  const { data, error, refetch } = useQuery(servedModelsQuery);
  const models = keyCard.chosen && data && namedModels(data);
  const modelsFor = (wantedTask: typeof task) => models?.filter((model) => model.task === wantedTask);
  const show = (next: string | null) =>
    void navigate({ search: { task: next === 'ocr' ? 'ocr' : 'embeddings' }, replace: true });
  return (
    <>
      <PageHeader title="Playground" description="Try the models without writing any code." />
      <KeyCard {...keyCard} />
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      <Tabs value={task} onChange={show}>
        <Tabs.List mb="lg">
          <Tabs.Tab value="embeddings" leftSection={<IconGridDots size={16} aria-hidden />}>
            Embeddings
          </Tabs.Tab>
          <Tabs.Tab value="ocr" leftSection={<IconFileText size={16} aria-hidden />}>
            OCR
          </Tabs.Tab>
        </Tabs.List>
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
