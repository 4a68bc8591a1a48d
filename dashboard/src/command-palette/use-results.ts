import { useDebouncedValue } from '@mantine/hooks';
import { IconBuilding, IconCube } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { allowedGroups } from '../common/navigation.js';
import { useSwitchOrganization } from '../features/organization/use-switch-organization.js';
import { hintOfSecret } from '../lib/pasted-secret.js';
import { useMe } from '../session/me.js';
import { type Command, type CommandDialog, useCommands } from './commands.js';
import { useDeletedKeyResults, useKeyResults, useSecretResults, useTagResults } from './key-results.js';
import {
  useFormerMemberResults,
  useMemberResults,
  useRoleResults,
  useServiceAccountResults,
} from './people-results.js';
import { useRequestEventResults, useRequestResults } from './request-results.js';
import type { OnNavigate, Result, ResultGroup } from './results.js';
import { useFoundModels, useFoundOrganizations } from './use-found.js';

const delayMilliseconds = 150;

interface ResultActions {
  onNavigate: OnNavigate;
  openDialog: (dialog: CommandDialog) => void;
}

interface FoundResults {
  groups: ResultGroup[];
  /** Whether more may be found. Until then, nothing says that nothing was. */
  isPending: boolean;
  /** Whether a part of the search failed. */
  hasFailed: boolean;
}

/** Results, and whether there may be others. */
interface PendingGroup extends ResultGroup {
  isPending?: boolean;
}

/**
 * What matches the text in the search field, things that exist before those that are gone. Of a pasted key or client secret, only
 * the first characters are used.
 */
export function useResults(query: string, { onNavigate, openDialog }: ResultActions): FoundResults {
  const text = hintOfSecret(query) ?? query.trim();
  const [searched] = useDebouncedValue(text, delayMilliseconds);
  const isTyping = text !== searched;
  const keys = useKeyResults(searched, onNavigate);
  const tags = useTagResults(text, onNavigate);
  const members = useMemberResults(searched, onNavigate);
  const serviceAccounts = useServiceAccountResults(searched, onNavigate);
  const roles = useRoleResults(text, openDialog);
  const models = useModelResults(text, onNavigate);
  const organizations = useOrganizationResults(text, onNavigate);
  const formerMembers = useFormerMemberResults(searched, onNavigate);
  const deletedKeys = useDeletedKeyResults(searched, onNavigate);
  const requests = useRequestResults(searched, onNavigate);
  const requestEvents = useRequestEventResults(searched, onNavigate);
  const searches = [
    ...[requests, requestEvents, keys, tags, members, serviceAccounts, roles, models, organizations, formerMembers],
    deletedKeys,
  ];
  const isPending = isTyping || searches.some((search) => search.isPending);
  const hasFailed = searches.some((search) => search.hasFailed);
  const secrets = useSecretResults(isPending || keys.results.length > 0 ? '' : text, onNavigate);
  const commands = useCommands(text, openDialog);
  const toResults = (found: readonly Command[]) => found.map((command) => commandResult(command, onNavigate));
  const groups: PendingGroup[] = [
    { label: 'Pages', results: usePageResults(text, onNavigate) },
    { label: 'Actions', results: toResults(commands.byLabel) },
    { label: 'API keys', ...keys, isPending: isTyping || keys.isPending },
    { label: 'Requests', ...requests, isPending: isTyping || requests.isPending },
    { label: 'Tags', ...tags },
    { label: 'Audit log', results: [...secrets, ...requestEvents.results], isPending: requestEvents.isPending },
    { label: 'Members', ...members },
    { label: 'Service accounts', ...serviceAccounts },
    { label: 'Roles', ...roles },
    { label: 'Models', ...models },
    { label: 'Organizations', ...organizations },
    { label: 'Removed members', ...formerMembers },
    { label: 'Deleted keys', ...deletedKeys },
    { label: 'Related actions', results: toResults(commands.byKeyword) },
  ];
  return { groups: waitForEarlier(groups).filter(({ results }) => results.length > 0), isPending, hasFailed };
}

/** Enter must not run a result that others may still precede, or one for the previous text. */
function waitForEarlier(groups: readonly PendingGroup[]): ResultGroup[] {
  const firstPending = groups.findIndex(({ isPending }) => isPending);
  if (firstPending === -1) return [...groups];
  const toChoose = (result: Result) => ({ ...result, needsChoice: true });
  return groups.map(({ label, results }, index) => ({
    label,
    results: index < firstPending ? results : results.map(toChoose),
  }));
}

function usePageResults(text: string, onNavigate: OnNavigate): Result[] {
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

function commandResult({ label, icon, changesContext, run }: Command, onNavigate: OnNavigate): Result {
  return {
    key: `action ${label}`,
    label,
    icon,
    needsChoice: changesContext === true,
    run: () => void Promise.resolve(run()).then(onNavigate),
  };
}

/** Each leads to the list of models. */
function useModelResults(text: string, onNavigate: OnNavigate) {
  const navigate = useNavigate();
  const { found, ...state } = useFoundModels(text);
  const results = found.map(({ id, alias }): Result => ({
    key: `model ${id}`,
    label: id,
    ...(alias !== undefined && { description: `Alias: ${alias}` }),
    icon: IconCube,
    needsChoice: false,
    run: () => void navigate({ to: '/dashboard/models' }).then(onNavigate),
  }));
  return { results, ...state };
}

/** Choosing one switches to it. */
function useOrganizationResults(text: string, onNavigate: OnNavigate) {
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
