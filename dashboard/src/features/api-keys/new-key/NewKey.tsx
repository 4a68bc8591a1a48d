import { Alert, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { NewSecret } from '../../../common/secrets/NewSecret.js';
import { SavedConfirmation } from '../../../ui/SavedConfirmation.js';
import { usePermission } from '../../../session/me.js';
import { FailureCause } from '../../../common/failures/FailureCause.js';
import { failedRequestsQuery } from '../../../common/failures/failed-requests.js';
import { FirstRequest, pollMilliseconds } from '../FirstRequest.js';
import { CodeSamples } from './CodeSamples.js';

interface NewKeyProps {
  /** The id of a created key, to show when it is first used. */
  id?: string | undefined;
  plaintext: string;
  /** What the key may use; all models if it is null or undefined. */
  models?: string[] | null | undefined;
  note?: ReactNode;
  onSaved: () => void;
}

/** Shows a new key once. The user can't leave before saving it. */
export function NewKey({ id, plaintext, models, note, onSaved }: NewKeyProps) {
  const [isSaved, setIsSaved] = useState(false);
  return (
    <Stack>
      <NewSecret secret={plaintext} noun="key" instruction="Copy this key now." onCopied={() => setIsSaved(true)} />
      {note !== undefined && <Text size="sm">{note}</Text>}
      <Text size="sm" fw={500}>
        Try it
      </Text>
      <CodeSamples apiKey={plaintext} allowedModels={models} />
      {id !== undefined && <Progress apiKeyId={id} />}
      <SavedConfirmation label="I've saved this key" isSaved={isSaved} onChange={setIsSaved} onDone={onSaved} />
    </Stack>
  );
}

/** Shows whether the key was used, and explains the latest failed request: its page can't be opened yet. */
function Progress({ apiKeyId }: { apiKeyId: string }) {
  const { data } = useQuery({
    ...failedRequestsQuery(apiKeyId),
    enabled: usePermission('get-usage'),
    refetchInterval: pollMilliseconds,
  });
  const latest = data?.failures[0];
  return (
    <>
      <FirstRequest apiKeyId={apiKeyId} hasFailed={latest !== undefined} />
      <div role="status">
        {latest !== undefined && (
          <Alert color="orange" key={latest.requestId} ref={scrollIntoView}>
            <Text size="sm" fw={500}>
              A request failed
            </Text>
            <FailureCause {...latest} />
          </Alert>
        )}
      </div>
    </>
  );
}

function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
