import { Code, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ApiKeyDetails } from '../../../api/schema.js';
import { useNow } from '../../../hooks/use-now.js';
import { FirstRequest } from '../FirstRequest.js';
import { stateOf } from '../key-actions.js';
import { CodeSamples } from '../new-key/CodeSamples.js';

/** Code samples with a placeholder for the key, which is only known when it's created. */
export function UseKey({ apiKey }: { apiKey: ApiKeyDetails }) {
  const { id, hint, models, lastUsedAt } = apiKey;
  const [wasUnused] = useState(typeof lastUsedAt !== 'string');
  const state = stateOf(apiKey, useNow());
  const isUsable = state !== 'disabled' && state !== 'expired';
  const placeholder = `${hint}...`;
  return (
    <Stack gap="sm">
      {wasUnused && isUsable && <FirstRequest apiKeyId={id} />}
      <Text size="sm" c="dimmed">
        Replace <Code>{placeholder}</Code> with the full key.
      </Text>
      <CodeSamples apiKey={placeholder} allowedModels={models} />
    </Stack>
  );
}
