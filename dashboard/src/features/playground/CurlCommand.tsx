import { Code, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeSnippet } from '../../ui/CodeSnippet.js';

interface CurlCommandProps {
  command: string;
  /** What it needs. */
  children?: ReactNode;
}

/** The curl command for the current request. */
export function CurlCommand({ command, children }: CurlCommandProps) {
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        Run this in your terminal
      </Title>
      <CodeSnippet label="curl command" code={command} />
      <Text size="sm" c="dimmed">
        Set the <Code>KEYCARD_API_KEY</Code> environment variable to your key first.{children}
      </Text>
    </Stack>
  );
}
