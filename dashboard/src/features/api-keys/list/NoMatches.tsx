import { Anchor, Group, Text } from '@mantine/core';
import { IconSearchOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ApiKeysSearch, noFilters } from '../../../common/api-keys/search.js';
import { usePermission } from '../../../session/me.js';
import { ClearFiltersButton } from '../../../ui/ClearFiltersButton.js';
import { EmptyState } from '../../../ui/EmptyState.js';
import { OtherFilters } from './OtherFilters.js';

interface NoMatchesProps {
  search: ApiKeysSearch;
  onSearch: (change: Partial<ApiKeysSearch>) => void;
}

/** Says which filters no key matches, and what a name that no key has may have meant. */
export function NoMatches({ search: { name, hint, state, tag, creatorId }, onSearch }: NoMatchesProps) {
  return (
    <EmptyState
      icon={<IconSearchOff size={28} />}
      title="No matching keys"
      action={
        <>
          {name !== undefined && <OtherFilters text={name} onSearch={onSearch} />}
          <Group justify="center">
            <ClearFiltersButton onClear={() => onSearch(noFilters)} />
          </Group>
        </>
      }
    >
      {hint !== undefined && (
        <>
          No key of this organization starts with {hint}. <AuditLogHint hint={hint} />
        </>
      )}
      {name !== undefined && (
        <>
          No key name contains <Text span>“{name}”</Text>. To find a key by its start, enter kc_ and at least 5 more
          characters.
        </>
      )}{' '}
      {tag !== undefined && `Only keys tagged “${tag}” are shown. `}
      {state !== undefined && 'Choose another state to see other keys.'}{' '}
      {creatorId !== undefined && 'Choose another creator to see other keys.'}
    </EmptyState>
  );
}

/** Leads from the start of a key to what happened to it. */
function AuditLogHint({ hint }: { hint: string }) {
  if (!usePermission('get-audit-events')) return null;
  return (
    <>
      If it was rotated or deleted,{' '}
      <Anchor
        inherit
        underline="always"
        renderRoot={(props) => <Link to="/dashboard/audit-log" search={{ targetHint: hint }} {...props} />}
      >
        find it in the audit log
      </Anchor>
      .
    </>
  );
}
