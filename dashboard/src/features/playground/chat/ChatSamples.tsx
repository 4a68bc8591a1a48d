import { Code, Stack, Text, Title } from '@mantine/core';
import { createGenerationSamples } from '../../../common/generation/generation-samples.js';
import type { GenerationRequest } from '../../../common/generation/generation-request.js';
import type { ServedModel } from '../../../api/schema.js';
import { CodeTabs } from '../../../ui/CodeTabs.js';

interface ChatSamplesProps {
  routes: ServedModel['routes'];
  request: GenerationRequest;
}

/** Code for the current request. */
export function ChatSamples({ routes, request }: ChatSamplesProps) {
  const { origin } = window.location;
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        Use it in your code
      </Title>
      <CodeTabs snippets={createGenerationSamples({ origin, apiKey: undefined, routes, request })} />
      <Text size="sm" c="dimmed">
        Set the <Code>KEYCARD_API_KEY</Code> environment variable to your key first.
      </Text>
    </Stack>
  );
}
