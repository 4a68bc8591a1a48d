import { Code, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKeyDetails } from '../../../api/schema.js';
import { failedRequestsQuery } from '../../../common/failures/failed-requests.js';
import { useNow } from '../../../hooks/use-now.js';
import { usePermission } from '../../../session/me.js';
import { FirstRequest } from '../FirstRequest.js';
import { stateOf } from '../key-actions.js';
import { CodeSamples } from '../new-key/CodeSamples.js';

/** Code samples with a placeholder for the key, which is only known when it's created. */
export function UseKey({ apiKey }: { apiKey: ApiKeyDetails }) {
  const { id, hint, models, lastUsedAt } = apiKey;
  const [wasUnused] = useState(typeof lastUsedAt !== 'string');
  const state = stateOf(apiKey, useNow());
  const isUsable = state !== 'disabled' && state !== 'expired';
  // Rejected requests, which aren't uses, are listed above.
  const { data } = useQuery({ ...failedRequestsQuery(id), enabled: usePermission('get-usage') });
  const isWaiting = wasUnused && isUsable && (data === undefined || data.failures.length === 0);
  const placeholder = `${hint}...`;
  return (
    <Stack gap="sm">
      {isWaiting && <FirstRequest apiKeyId={id} />}
      <Text size="sm" c="dimmed">
        Replace <Code>{placeholder}</Code> with the full key.
      </Text>
      <CodeSamples apiKey={placeholder} allowedModels={models} />
    </Stack>
  );
}
