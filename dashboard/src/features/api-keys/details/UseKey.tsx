import { Code, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ApiKeyDetails } from '../../../api/schema.js';
import { FirstRequest } from '../FirstRequest.js';
import { CodeSamples } from '../new-key/CodeSamples.js';

/** Code samples with a placeholder for the key, which is only known when it's created. */
export function UseKey({ apiKey: { id, hint, models, lastUsedAt } }: { apiKey: ApiKeyDetails }) {
  const [wasUnused] = useState(typeof lastUsedAt !== 'string');
  const placeholder = `${hint}...`;
  return (
    <Stack gap="sm">
      {wasUnused && <FirstRequest apiKeyId={id} />}
      <Text size="sm" c="dimmed">
        Replace <Code>{placeholder}</Code> with the full key.
      </Text>
      <CodeSamples apiKey={placeholder} allowedModels={models} />
    </Stack>
  );
}
