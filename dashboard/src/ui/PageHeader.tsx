import { Box, Group, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

interface PageHeaderProps {
  title: string;
  /** Shown next to the title. Its width may change without moving the actions. */
  badge?: ReactNode;
  description?: ReactNode;
  /** Buttons, aligned right. */
  actions?: ReactNode;
}

/** The heading of a page. Also sets the document title. */
export function PageHeader({ title, badge, description, actions }: PageHeaderProps) {
  useDocumentTitle(`${title} · Keycard`);
  return (
    <Group justify="space-between" align="flex-end" mb="lg" gap="sm">
      <Box flex={badge === undefined ? undefined : '1 1 18rem'}>
        <Group gap="sm">
          <Title order={1} size="h2">
            {title}
          </Title>
          {badge}
        </Group>
        {description !== undefined && (
          <Text c="dimmed" size="sm" mt={4}>
            {description}
          </Text>
        )}
      </Box>
      {actions !== undefined && <Group gap="sm">{actions}</Group>}
    </Group>
  );
}
