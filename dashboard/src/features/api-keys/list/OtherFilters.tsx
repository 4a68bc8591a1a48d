import { Button, Group } from '@mantine/core';
import { IconTag, IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { tagsQuery } from '../../../common/api-keys/api-keys.js';
import { matchingTags } from '../../../common/api-keys/matching-tags.js';
import { type ApiKeysSearch, noFilters } from '../../../common/api-keys/search.js';
import { findCreatorsQuery } from '../../../common/people/creators.js';
import { focusHeading } from '../../../lib/restore-focus.js';
import { usePermission } from '../../../session/me.js';

/** How many tags, and how many creators are offered. */
const maxOffered = 3;

interface OtherFiltersProps {
  /** That no name of a key contains. */
  text: string;
  onSearch: (change: Partial<ApiKeysSearch>) => void;
}

/** Offers the keys with tags or creators that contain the text, which the search for names doesn't find. */
export function OtherFilters({ text, onSearch }: OtherFiltersProps) {
  const permissions = {
    mayGetMembers: usePermission('get-members'),
    mayGetAccounts: usePermission('get-service-accounts'),
  };
  const { data: tags = [] } = useQuery(tagsQuery);
  const { data: groups = [] } = useQuery({
    ...findCreatorsQuery(text.trim(), permissions),
    enabled: text.trim() !== '',
    // Of another text.
    placeholderData: undefined,
  });
  const found = matchingTags(tags, text).slice(0, maxOffered);
  const creators = groups.flatMap(({ people }) => people).slice(0, maxOffered);
  if (found.length + creators.length === 0) return null;
  const show = (filter: Partial<ApiKeysSearch>) => {
    // The button disappears.
    focusHeading();
    onSearch({ ...noFilters, ...filter });
  };
  return (
    <Group gap="xs" justify="center" mt="xs" role="group" aria-label="Other filters">
      {found.map((tag) => (
        <Filter key={tag} icon={<IconTag size={16} aria-hidden />} onClick={() => show({ tag })}>
          {`Keys with tag ${tag}`}
        </Filter>
      ))}
      {creators.map(({ id, name }) => (
        <Filter key={id} icon={<IconUser size={16} aria-hidden />} onClick={() => show({ creatorId: id })}>
          {`Keys created by ${name}`}
        </Filter>
      ))}
    </Group>
  );
}

interface FilterProps {
  icon: ReactNode;
  onClick: () => void;
  children: string;
}

function Filter({ icon, onClick, children }: FilterProps) {
  return (
    <Button variant="default" size="xs" maw="100%" leftSection={icon} title={children} onClick={onClick}>
      {children}
    </Button>
  );
}
