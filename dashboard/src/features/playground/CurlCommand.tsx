import { Code, Stack, Text, Title } from '@mantine/core';
import { CodeSnippet } from '../../ui/CodeSnippet.js';

/** The curl command for the current request. */
export function CurlCommand({ command }: { command: string }) {
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        Run this in your terminal
      </Title>
      <CodeSnippet label="curl command" code={command} />
      <Text size="sm" c="dimmed">
        Set the <Code>KEYCARD_API_KEY</Code> environment variable to your key first.
      </Text>
    </Stack>
  );
}
