import '@mantine/spotlight/styles.css';
import { VisuallyHidden } from '@mantine/core';
import { maxEmailLength } from '@rules/email-address.js';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { useDebouncedValue } from '@mantine/hooks';
import { IconKey, IconSearch, IconUser } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { formatCount } from '../../lib/format-numbers.js';
import { navigation } from '../../layout/navigation.js';
import { useMe } from '../../session/me.js';
import { readSearchText } from '../api-keys/list/search.js';
import { useFoundKeys, useFoundMembers } from './search-queries.js';

const delayMilliseconds = 150;

interface CommandPaletteProps {
  isOpen: boolean;
  onClose: () => void;
  onNavigate: () => void;
}

/** Finds pages, keys and members by name, and keys by their first characters. */
export function CommandPalette({ isOpen, onClose, onNavigate }: CommandPaletteProps) {
  const [query, setQuery] = useState('');
  const text = query.trim();
  const [searched] = useDebouncedValue(text, delayMilliseconds);
  const { permissions } = useMe();
  const navigate = useNavigate();
  const keys = useFoundKeys(searched);
  const members = useFoundMembers(searched);
  const pages = navigation.filter(
    ({ label, permission }) =>
      label.toLowerCase().includes(text.toLowerCase()) &&
      (permission === undefined || permissions.includes(permission)),
  );
  useEffect(() => {
    if (isOpen) spotlight.open();
  }, [isOpen]);
  const list = useRef<HTMLDivElement>(null);
  const isPending = text !== searched || keys.isLoading || members.isLoading;
  const isEmpty = pages.length + keys.found.length + members.found.length === 0;
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      onSpotlightClose={onClose}
      scrollable
      maxHeight="min(400px, 60dvh)"
      title={<VisuallyHidden>Search</VisuallyHidden>}
      styles={{ header: { minHeight: 0, padding: 0 } }}
    >
      <Spotlight.Search
        placeholder="Search pages, keys and members"
        aria-label="Search pages, keys and members"
        onKeyDown={({ key }) => key === 'Enter' && chooseFirst(list.current)}
        maxLength={maxEmailLength}
        leftSection={<IconSearch size={18} aria-hidden />}
      />
      <Spotlight.ActionsList ref={list}>
        {pages.length > 0 && (
          <Spotlight.ActionsGroup label="Pages">
            {pages.map(({ label, to, icon: Icon }) => (
              <Spotlight.Action
                key={to}
                label={label}
                leftSection={<Icon size={18} aria-hidden />}
                onClick={() => void navigate({ to }).then(onNavigate)}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {keys.found.length > 0 && (
          <Spotlight.ActionsGroup label="API keys">
            {keys.found.map(({ id, name, hint, enabled }) => (
              <Spotlight.Action
                key={id}
                label={name}
                description={enabled === false ? `${hint}… · Disabled` : `${hint}…`}
                leftSection={<IconKey size={18} aria-hidden />}
                onClick={() => void navigate({ to: '/dashboard/keys/$id', params: { id } }).then(onNavigate)}
              />
            ))}
            {keys.total > keys.found.length && (
              <Spotlight.Action
                label={`Show all ${formatCount(keys.total)} keys matching “${searched}”`}
                leftSection={<IconSearch size={18} aria-hidden />}
                onClick={() =>
                  void navigate({ to: '/dashboard/keys', search: readSearchText(searched) }).then(onNavigate)
                }
              />
            )}
          </Spotlight.ActionsGroup>
        )}
        {members.found.length > 0 && (
          <Spotlight.ActionsGroup label="Members">
            {members.found.map(({ id, name, email }) => (
              <Spotlight.Action
                key={id}
                label={name}
                description={email}
                leftSection={<IconUser size={18} aria-hidden />}
                onClick={() => void navigate({ to: '/dashboard/members', search: { search: email } }).then(onNavigate)}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {isEmpty && <Spotlight.Empty>{isPending ? 'Searching…' : 'Nothing found'}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

/** Spotlight selects the first result only if it's there while the user types. */
function chooseFirst(list: HTMLElement | null): void {
  if (list?.querySelector('[data-selected]') === null) list.querySelector('button')?.click();
}
