import { Spotlight } from '@mantine/spotlight';
import { IconBuilding, IconHistory, IconKey, IconSearch, IconUser } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ApiKey, Member, MyOrganization } from '../../api/schema.js';
import type { NavigationEntry } from '../../layout/navigation.js';
import { formatCount } from '../../lib/format-numbers.js';
import { useSwitchOrganization } from '../organization/use-switch-organization.js';
import { readSearchText } from '../api-keys/list/search.js';
import type { Command } from './commands.js';
import { notPreselected } from './use-preselection.js';

interface ResultsProps {
  /** Called once the page has changed. */
  onNavigate: () => void;
}

/** The pages found by a search. */
export function FoundPages({ pages, onNavigate }: ResultsProps & { pages: readonly NavigationEntry[] }) {
  const navigate = useNavigate();
  if (pages.length === 0) return null;
  return (
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
  );
}

interface FoundCommandsProps extends ResultsProps {
  label: string;
  commands: readonly Command[];
}

/** Actions found by a search. */
export function FoundCommands({ label: groupLabel, commands, onNavigate }: FoundCommandsProps) {
  if (commands.length === 0) return null;
  return (
    <Spotlight.ActionsGroup label={groupLabel}>
      {commands.map(({ label, icon: Icon, changesContext = false, run }) => (
        <Spotlight.Action
          key={label}
          label={label}
          {...(changesContext && notPreselected)}
          leftSection={<Icon size={18} aria-hidden />}
          onClick={() => void Promise.resolve(run()).then(onNavigate)}
        />
      ))}
    </Spotlight.ActionsGroup>
  );
}

interface LateResultsProps extends ResultsProps {
  /** Whether they were found for a previous text, so that Enter must not choose one yet. */
  isStale: boolean;
}

interface FoundKeysProps extends LateResultsProps {
  found: readonly ApiKey[];
  /** How many keys match, including those that aren't listed. */
  total: number;
  /** The searched text. */
  text: string;
}

/** The first keys found by a search, and a link to the others. */
export function FoundKeys({ found, total, text, isStale, onNavigate }: FoundKeysProps) {
  const navigate = useNavigate();
  if (found.length === 0) return null;
  const { hint: searchedHint } = readSearchText(text);
  return (
    <Spotlight.ActionsGroup label="API keys">
      {found.map(({ id, name, hint, enabled }) => (
        <Spotlight.Action
          key={id}
          label={name}
          description={describeKey(hint, searchedHint, enabled)}
          {...(isStale && notPreselected)}
          leftSection={<IconKey size={18} aria-hidden />}
          onClick={() => void navigate({ to: '/dashboard/keys/$id', params: { id } }).then(onNavigate)}
        />
      ))}
      {total > found.length && (
        <Spotlight.Action
          label={`Show all ${formatCount(total)} keys matching “${text}”`}
          {...(isStale && notPreselected)}
          leftSection={<IconSearch size={18} aria-hidden />}
          onClick={() => void navigate({ to: '/dashboard/keys', search: readSearchText(text) }).then(onNavigate)}
        />
      )}
    </Spotlight.ActionsGroup>
  );
}

/** Also says if only the previous secret starts like the searched one. */
function describeKey(hint: string, searchedHint: string | undefined, isEnabled: boolean | undefined): string {
  const parts = [`${hint}…`];
  if (searchedHint !== undefined && searchedHint !== hint) parts.push(`Previous secret: ${searchedHint}…`);
  if (isEnabled === false) parts.push('Disabled');
  return parts.join(' · ');
}

/** Leads from the first characters of a pasted key or client secret, which may be rotated or deleted, to its events. */
export function FoundSecret({ hint, onNavigate }: ResultsProps & { hint: string }) {
  const navigate = useNavigate();
  return (
    <Spotlight.ActionsGroup label="Audit log">
      <Spotlight.Action
        label={`Find ${hint}… in the audit log`}
        leftSection={<IconHistory size={18} aria-hidden />}
        onClick={() => void navigate({ to: '/dashboard/audit-log', search: { targetHint: hint } }).then(onNavigate)}
      />
    </Spotlight.ActionsGroup>
  );
}

/** The members found by a search. */
export function FoundMembers({ found, isStale, onNavigate }: LateResultsProps & { found: readonly Member[] }) {
  const navigate = useNavigate();
  if (found.length === 0) return null;
  return (
    <Spotlight.ActionsGroup label="Members">
      {found.map(({ id, name, email }) => (
        <Spotlight.Action
          key={id}
          label={name}
          description={email}
          {...(isStale && notPreselected)}
          leftSection={<IconUser size={18} aria-hidden />}
          onClick={() => void navigate({ to: '/dashboard/members', search: { search: email } }).then(onNavigate)}
        />
      ))}
    </Spotlight.ActionsGroup>
  );
}

/** The user's other organizations found by a search. Choosing one switches to it. */
export function FoundOrganizations({ found, onNavigate }: ResultsProps & { found: readonly MyOrganization[] }) {
  const { switchTo } = useSwitchOrganization();
  if (found.length === 0) return null;
  return (
    <Spotlight.ActionsGroup label="Organizations">
      {found.map(({ id, name }) => (
        <Spotlight.Action
          key={id}
          label={`Switch to ${name}`}
          {...notPreselected}
          leftSection={<IconBuilding size={18} aria-hidden />}
          onClick={() => {
            switchTo({ organizationId: id });
            onNavigate();
          }}
        />
      ))}
    </Spotlight.ActionsGroup>
  );
}
