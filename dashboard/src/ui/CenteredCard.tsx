import { Center, Paper, Stack, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Logo } from './Logo.js';

interface CenteredCardProps {
  title: string;
  children: ReactNode;
}

/** The layout of pages without navigation, such as pages for signed-out users. */
export function CenteredCard({ title, children }: CenteredCardProps) {
  useDocumentTitle(`${title} · Keycard`);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack w="100%" maw={400} gap="lg">
        <Logo />
        <Paper withBorder shadow="sm" p="xl">
          <Title order={1} size="h3" mb="lg">
            {title}
          </Title>
          {children}
        </Paper>
      </Stack>
    </Center>
  );
}
