import '@mantine/spotlight/styles.css';
import { CloseButton, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { maxEmailLength } from '@rules/email-address.js';
import { useDialog } from '../hooks/use-dialog.js';
import { navigation } from '../common/navigation.js';
import { foldText } from '../lib/fold-text.js';
import { hintAtStart, hintOfSecret } from '../lib/pasted-secret.js';
import { focusMain, type FocusOrigin, getFocusOrigin, restoreFocus } from '../lib/restore-focus.js';
import { useMe, usePermission } from '../session/me.js';
import { apiKeysQuery } from '../common/api-keys/api-keys.js';
import { apiKeysSearchDefaults, readSearchText } from '../common/api-keys/search.js';
import { organizationsQuery } from '../common/organizations/organizations.js';
import { membersQuery } from '../features/members/members.js';
import { type CommandDialog, CommandDialogs, useCommands } from './commands.js';
import {
  FoundCommands,
  FoundKeys,
  FoundMembers,
  FoundOrganizations,
  FoundPages,
  FoundSecret,
} from './search-results.js';
import { usePreselection } from './use-preselection.js';

const [store, spotlight] = createSpotlight();

const delayMilliseconds = 150;
/** How many keys and how many members are listed. */
const maxFound = 5;

interface CommandPaletteProps {
  isOpen: boolean;
  onClose: () => void;
  onNavigate: () => void;
}

/** Finds pages, actions, keys, members and organizations by name, and keys by their first characters. */
export function CommandPalette({ isOpen, onClose, onNavigate }: CommandPaletteProps) {
  const [query, setQuery] = useState('');
  const pastedHint = hintOfSecret(query);
  const text = pastedHint ?? query.trim();
  const mayGetEvents = usePermission('get-audit-events');
  const [searched] = useDebouncedValue(text, delayMilliseconds);
  const { permissions } = useMe();
  const keys = useFoundKeys(searched);
  const members = useFoundMembers(searched);
  const organizations = useFoundOrganizations(text);
  const pages = navigation.filter(
    ({ label, permission }) =>
      label.toLowerCase().includes(text.toLowerCase()) &&
      (permission === undefined || permissions.includes(permission)),
  );
  const dialog = useDialog<CommandDialog>();
  // Opened once the search is closed.
  const nextDialog = useRef<CommandDialog>(undefined);
  const origin = useRef<FocusOrigin>(undefined);
  const commands = useCommands(text, (chosen) => {
    nextDialog.current = chosen;
  });
  const startPath = useRef('');
  // The search may fade out before or after the next page is shown, and has the focus until then. A dialog that asks about
  // unsaved changes takes it.
  const isFocusFree = () => {
    const focused = document.activeElement;
    const isInSearch = focused?.closest('.mantine-Spotlight-content') instanceof Element;
    return isInSearch || focused === document.body || focused === origin.current?.element;
  };
  const focusNextPage = () => {
    if (isFocusFree()) focusMain();
  };
  const hasNavigated = () => window.location.pathname !== startPath.current;
  const finishNavigation = () => {
    onNavigate();
    if (hasNavigated()) focusNextPage();
  };
  const finishClosing = () => {
    if (hasNavigated() && nextDialog.current === undefined) return focusNextPage();
    if (origin.current !== undefined && isFocusFree()) restoreFocus(origin.current);
    // The dialog restores the focus again.
    if (nextDialog.current !== undefined) dialog.open(nextDialog.current);
  };
  useEffect(() => {
    if (!isOpen) return;
    origin.current = getFocusOrigin();
    nextDialog.current = undefined;
    startPath.current = window.location.pathname;
    spotlight.open();
  }, [isOpen]);
  const { followResults, keepChoice, resetChoice } = usePreselection(store);
  const isTyping = text !== searched;
  const isPending = isTyping || keys.isLoading || members.isLoading;
  const lostHint = mayGetEvents && !isPending && keys.found.length === 0 ? hintAtStart(text) : undefined;
  const isEmpty =
    lostHint === undefined &&
    pages.length +
      commands.byLabel.length +
      commands.byKeyword.length +
      keys.found.length +
      members.found.length +
      organizations.length ===
      0;
  return (
    <>
      <Spotlight.Root
        store={store}
        query={query}
        onQueryChange={(next) => {
          resetChoice();
          setQuery(next);
        }}
        shortcut={null}
        // Only once the next page is known; see `finishClosing`.
        returnFocus={false}
        onSpotlightClose={onClose}
        onExitTransitionEnd={finishClosing}
        scrollable
        maxHeight="min(400px, 60dvh)"
        title={<VisuallyHidden>Search</VisuallyHidden>}
        styles={{ header: { minHeight: 0, padding: 0 } }}
      >
        <Spotlight.Search
          placeholder="Search pages, keys and members"
          aria-label="Search pages, actions, keys and members"
          maxLength={maxEmailLength}
          onKeyDown={keepChoice}
          leftSection={<IconSearch size={18} aria-hidden />}
          rightSection={<CloseButton hiddenFrom="sm" aria-label="Close search" onClick={spotlight.close} />}
        />
        <Spotlight.ActionsList ref={followResults}>
          <FoundPages pages={pages} onNavigate={finishNavigation} />
          <FoundCommands label="Actions" commands={commands.byLabel} onNavigate={finishNavigation} />
          <FoundKeys
            {...keys}
            isStale={isTyping || keys.isPlaceholderData}
            text={searched}
            onNavigate={finishNavigation}
          />
          {lostHint !== undefined && <FoundSecret hint={lostHint} onNavigate={finishNavigation} />}
          <FoundMembers {...members} isStale={isTyping} onNavigate={finishNavigation} />
          <FoundOrganizations found={organizations} onNavigate={finishNavigation} />
          <FoundCommands label="Related actions" commands={commands.byKeyword} onNavigate={finishNavigation} />
          {isEmpty && <Spotlight.Empty>{isPending ? 'Searching…' : 'Nothing found'}</Spotlight.Empty>}
        </Spotlight.ActionsList>
      </Spotlight.Root>
      <CommandDialogs dialog={dialog} />
    </>
  );
}

/** The newest keys whose name contains the text, or that start like a pasted key, and how many there are. */
function useFoundKeys(text: string) {
  const isEnabled = usePermission('get-api-keys') && text !== '';
  const query = apiKeysQuery({ ...apiKeysSearchDefaults, ...readSearchText(text), perPage: maxFound });
  const { data, isLoading, isPlaceholderData } = useQuery({
    ...query,
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
  const { apiKeys: found, total } = (isEnabled ? data : undefined) ?? { apiKeys: [], total: 0 };
  return { found, total, isLoading, isPlaceholderData };
}

/** Members whose name or email contains the text, unless it starts like a key. */
function useFoundMembers(text: string) {
  const isEnabled = usePermission('get-members') && text !== '' && readSearchText(text).hint === undefined;
  const { data, isLoading } = useQuery({
    ...membersQuery({ page: 1, perPage: maxFound, search: text }),
    enabled: isEnabled,
  });
  return { found: isEnabled ? (data?.members ?? []) : [], isLoading };
}

/** The user's other organizations whose name contains the text. */
function useFoundOrganizations(text: string) {
  const { organization } = useMe();
  const { data } = useQuery({ ...organizationsQuery, enabled: text !== '' });
  if (text === '') return [];
  const others = data?.organizations.filter(({ id }) => id !== organization.id) ?? [];
  return others.filter(({ name }) => foldText(name).includes(foldText(text))).slice(0, maxFound);
}
