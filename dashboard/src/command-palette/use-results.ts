import { useDebouncedValue } from '@mantine/hooks';
import { IconBuilding, IconHistory, IconKey, IconRobot, IconSearch, IconTag, IconUser } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { readSearchText } from '../common/api-keys/search.js';
import { allowedGroups } from '../common/navigation.js';
import { useSwitchOrganization } from '../features/organization/use-switch-organization.js';
import { formatCount } from '../lib/format-numbers.js';
import { hintAtStart, hintOfSecret } from '../lib/pasted-secret.js';
import { useMe, usePermission } from '../session/me.js';
import { type Command, type CommandDialog, useCommands } from './commands.js';
import type { Result, ResultGroup } from './results.js';
import {
  useFoundKeys,
  useFoundMembers,
  useFoundOrganizations,
  useFoundServiceAccounts,
  useFoundTags,
} from './use-found.js';

const delayMilliseconds = 150;

interface ResultActions {
  /** Called once the page has changed. */
  onNavigate: () => void;
  openDialog: (dialog: CommandDialog) => void;
}

interface FoundResults {
  groups: ResultGroup[];
  /** Whether more may be found. Until then, nothing says that nothing was. */
  isPending: boolean;
  /** Whether a part of the search failed. */
  hasFailed: boolean;
}

/** What matches the text in the search field. Of a pasted key or client secret, only the first characters are used. */
export function useResults(query: string, { onNavigate, openDialog }: ResultActions): FoundResults {
  const text = hintOfSecret(query) ?? query.trim();
  const [searched] = useDebouncedValue(text, delayMilliseconds);
  const isTyping = text !== searched;
  const keys = useKeyResults(searched, { isTyping, onNavigate });
  const tags = useTagResults(text, { isPreceded: isTyping || keys.isPending, onNavigate });
  const members = useMemberResults(searched, { isTyping, onNavigate });
  const serviceAccounts = useServiceAccountResults(searched, { isTyping, onNavigate });
  const organizations = useOrganizationResults(text, onNavigate);
  const searches = [keys, tags, members, serviceAccounts, organizations];
  const isPending = isTyping || searches.some((search) => search.isPending);
  const hasFailed = searches.some((search) => search.hasFailed);
  const secrets = useSecretResults(isPending || keys.results.length > 0 ? '' : text, onNavigate);
  const commands = useCommands(text, openDialog);
  const toResults = (found: readonly Command[], isPreceded: boolean) =>
    found.map((command) => commandResult(command, { isPreceded, onNavigate }));
  const groups = [
    { label: 'Pages', results: usePageResults(text, onNavigate) },
    { label: 'Actions', results: toResults(commands.byLabel, false) },
    { label: 'API keys', results: keys.results },
    { label: 'Tags', results: tags.results },
    { label: 'Audit log', results: secrets },
    { label: 'Members', results: members.results },
    { label: 'Service accounts', results: serviceAccounts.results },
    { label: 'Organizations', results: organizations.results },
    { label: 'Related actions', results: toResults(commands.byKeyword, isPending) },
  ];
  return { groups: groups.filter(({ results }) => results.length > 0), isPending, hasFailed };
}

function usePageResults(text: string, onNavigate: () => void): Result[] {
  const navigate = useNavigate();
  const { permissions } = useMe();
  const pages = allowedGroups(permissions).flatMap(({ entries }) => entries);
  const found = pages.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()));
  return found.map(({ label, to, icon }) => ({
    key: `page ${to}`,
    label,
    icon,
    needsChoice: false,
    run: () => void navigate({ to }).then(onNavigate),
  }));
}

interface EarlyResults {
  /** Whether results that come first may still be found. Enter waits for them. */
  isPreceded: boolean;
  onNavigate: () => void;
}

function commandResult(
  { label, icon, changesContext, run }: Command,
  { isPreceded, onNavigate }: EarlyResults,
): Result {
  return {
    key: `action ${label}`,
    label,
    icon,
    needsChoice: isPreceded || changesContext === true,
    run: () => void Promise.resolve(run()).then(onNavigate),
  };
}

interface LateResults {
  /** Whether the user has changed the text since. Enter must not run a result for the previous text. */
  isTyping: boolean;
  onNavigate: () => void;
}

/** The first keys, and a link to the others. */
function useKeyResults(searched: string, { isTyping, onNavigate }: LateResults) {
  const navigate = useNavigate();
  const { found, total, ...state } = useFoundKeys(searched);
  const needsChoice = isTyping || state.isPending;
  const search = readSearchText(searched);
  const results = found.map(({ id, name, hint, enabled }): Result => ({
    key: `key ${id}`,
    label: name,
    description: describeKey(hint, search.hint, enabled),
    icon: IconKey,
    needsChoice,
    run: () => void navigate({ to: '/dashboard/keys/$id', params: { id } }).then(onNavigate),
  }));
  if (total > found.length) {
    results.push({
      key: 'all keys',
      label: `Show all ${formatCount(total)} keys matching “${searched}”`,
      icon: IconSearch,
      needsChoice,
      run: () => void navigate({ to: '/dashboard/keys', search }).then(onNavigate),
    });
  }
  return { results, ...state };
}

/** Each leads to the list of the keys with a tag. */
function useTagResults(text: string, { isPreceded, onNavigate }: EarlyResults) {
  const navigate = useNavigate();
  const { found, ...state } = useFoundTags(text);
  const results = found.map((tag): Result => ({
    key: `tag ${tag}`,
    label: `Keys with tag ${tag}`,
    icon: IconTag,
    needsChoice: isPreceded,
    run: () => void navigate({ to: '/dashboard/keys', search: { tag } }).then(onNavigate),
  }));
  return { results, ...state };
}

/** Also says if only the previous secret starts like the searched text. */
function describeKey(hint: string, searchedHint: string | undefined, isEnabled: boolean | undefined): string {
  const parts = [`${hint}…`];
  if (searchedHint !== undefined && searchedHint !== hint) parts.push(`Previous secret: ${searchedHint}…`);
  if (isEnabled === false) parts.push('Disabled');
  return parts.join(' · ');
}

/** Leads from the first characters of a pasted key or client secret, which may be rotated or deleted, to its events. */
function useSecretResults(text: string, onNavigate: () => void): Result[] {
  const navigate = useNavigate();
  const mayGetEvents = usePermission('get-audit-events');
  const hint = mayGetEvents ? hintAtStart(text) : undefined;
  if (hint === undefined) return [];
  return [
    {
      key: 'events of a key',
      label: `Find ${hint}… in the audit log`,
      icon: IconHistory,
      needsChoice: false,
      run: () => void navigate({ to: '/dashboard/audit-log', search: { targetHint: hint } }).then(onNavigate),
    },
  ];
}

function useMemberResults(searched: string, { isTyping, onNavigate }: LateResults) {
  const navigate = useNavigate();
  const { found, ...state } = useFoundMembers(searched);
  const results = found.map(({ userId: id, name, email }): Result => ({
    key: `member ${id}`,
    label: name,
    description: email,
    icon: IconUser,
    needsChoice: isTyping || state.isPending,
    run: () => void navigate({ to: '/dashboard/members/$id', params: { id } }).then(onNavigate),
  }));
  return { results, ...state };
}

function useServiceAccountResults(searched: string, { isTyping, onNavigate }: LateResults) {
  const navigate = useNavigate();
  const { found, ...state } = useFoundServiceAccounts(searched);
  const results = found.map(({ id, name, role }): Result => ({
    key: `service account ${id}`,
    label: name,
    description: role.name,
    icon: IconRobot,
    needsChoice: isTyping || state.isPending,
    run: () => void navigate({ to: '/dashboard/members/service-accounts/$id', params: { id } }).then(onNavigate),
  }));
  return { results, ...state };
}

/** Choosing one switches to it. */
function useOrganizationResults(text: string, onNavigate: () => void) {
  const { switchTo } = useSwitchOrganization();
  const { found, ...state } = useFoundOrganizations(text);
  const results = found.map(({ id, name }): Result => ({
    key: `organization ${id}`,
    label: `Switch to ${name}`,
    icon: IconBuilding,
    needsChoice: true,
    run: () => {
      switchTo({ organizationId: id });
      onNavigate();
    },
  }));
  return { results, ...state };
}
