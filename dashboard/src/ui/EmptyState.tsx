import { Box, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  children: ReactNode;
  /** A button or link to the next step. */
  action?: ReactNode;
  /** The level of the heading. */
  level?: 1 | 2;
}

/** Shown instead of missing content: explains why and offers a next step. */
export function EmptyState({ icon, title, children, action, level = 2 }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <ThemeIcon variant="light" size={56} radius="xl" aria-hidden>
        {icon}
      </ThemeIcon>
      <Title order={level} size={level === 1 ? 'h2' : 'h4'} mt="xs">
        {title}
      </Title>
      <Text c="dimmed" maw={440} style={{ textWrap: 'balance' }}>
        {children}
      </Text>
      {action !== undefined && <Box mt="xs">{action}</Box>}
    </Stack>
  );
}

/** A page without any other content. */
export function EmptyPage(props: Omit<EmptyStateProps, 'level'>) {
  useDocumentTitle(`${props.title} · Keycard`);
  return <EmptyState level={1} {...props} />;
}
