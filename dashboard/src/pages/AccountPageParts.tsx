import { Anchor, Box, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { MembersSearch } from '../features/members/search.js';
import { PersonAvatar } from '../ui/PersonAvatar.js';

/** A link to the list that a person or service account is in. */
export function BackToMembers({ view }: { view?: MembersSearch['view'] }) {
  return (
    <Anchor
      size="sm"
      c="dimmed"
      renderRoot={(props) => <Link to="/dashboard/members" search={view && { view }} {...props} />}
    >
      <Group component="span" display="inline-flex" gap={4}>
        <IconArrowLeft size={14} aria-hidden />
        Members
      </Group>
    </Anchor>
  );
}

interface AccountTitleProps {
  id: string;
  name: string;
  isProgram?: boolean;
  /** Below the name. */
  subtitle: ReactNode;
  badge?: ReactNode;
  /** Buttons, aligned right. */
  actions?: ReactNode;
}

/** The heading of the page of a person or service account. Also sets the document title. */
export function AccountTitle({ id, name, isProgram, subtitle, badge, actions }: AccountTitleProps) {
  useDocumentTitle(`${name} · Keycard`);
  return (
    <Group justify="space-between" align="center" mt="sm" mb="lg" gap="sm">
      <Group gap="md" wrap="nowrap" flex="1 1 18rem">
        <PersonAvatar id={id} name={name} isProgram={isProgram} size="lg" />
        <Box miw={0} style={{ overflowWrap: 'anywhere' }}>
          <Group gap="sm">
            <Title order={1} size="h2">
              {name}
            </Title>
            {badge}
          </Group>
          <Text c="dimmed" size="sm">
            {subtitle}
          </Text>
        </Box>
      </Group>
      {actions}
    </Group>
  );
}

/** A part of the page. */
export function AccountSection({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <Paper withBorder p="lg" component={title === undefined ? 'div' : 'section'} aria-label={title}>
      {title !== undefined && (
        <Title order={2} size="h4" mb="md">
          {title}
        </Title>
      )}
      {children}
    </Paper>
  );
}

/** Shown until the person or service account is known. */
export function AccountLoading() {
  return (
    <Stack gap="lg" mt="sm" role="status" aria-label="Loading">
      <Group gap="md">
        <Skeleton circle height={48} />
        <Skeleton height={28} width={220} />
      </Group>
      <Skeleton height={90} />
      <Skeleton height={200} />
    </Stack>
  );
}
