import { Code, Stack, Text, Title } from '@mantine/core';
import { CodeSnippet } from '../../ui/CodeSnippet.js';

/** The command that does the same as the button. */
export function CurlCommand({ command }: { command: string }) {
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        Do the same in a terminal
      </Title>
      <CodeSnippet label="curl command" code={command} />
      <Text size="sm" c="dimmed">
        The command takes your key from the environment variable <Code>KEYCARD_API_KEY</Code>, so it holds no secret.
      </Text>
    </Stack>
  );
}
