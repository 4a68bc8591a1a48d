import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import {
  IconBuildingPlus,
  IconExternalLink,
  IconKey,
  IconLogout,
  IconMail,
  IconMoon,
  IconRobot,
  IconShieldPlus,
  IconSun,
  IconUserCircle,
  IconUserPlus,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import type { Role } from '../api/schema.js';
import type { Dialog } from '../hooks/use-dialog.js';
import { lazyComponent } from '../lib/lazy-component.js';
import { type PermissionName, useMe } from '../session/me.js';
import { permissionsQuery } from '../session/permissions.js';
import { useSignOut } from '../session/use-sign-out.js';

const CreateKeyModal = lazyComponent(() => import('../features/api-keys/dialogs/CreateKeyModal.js'), 'CreateKeyModal');
const InviteModal = lazyComponent(() => import('../features/invitations/InviteModal.js'), 'InviteModal');
const CreateOrganizationModal = lazyComponent(
  () => import('../features/organization/CreateOrganizationModal.js'),
  'CreateOrganizationModal',
);
const CreateServiceAccountModal = lazyComponent(
  () => import('../features/service-accounts/CreateServiceAccountModal.js'),
  'CreateServiceAccountModal',
);
const RoleEditor = lazyComponent(() => import('../features/roles/editor/RoleEditor.js'), 'RoleEditor');
const noInvitee = { email: '', roleId: null };

/** A dialog that the search opens; `role` to show or change one. */
export type CommandDialog =
  'create-key' | 'invite-member' | 'create-role' | 'create-service-account' | 'create-organization' | { role: Role };

/** An action in the search. */
export interface Command {
  label: string;
  /** Other words that find it. */
  keywords: string;
  icon: typeof IconKey;
  /** All are required. */
  permissions?: PermissionName[];
  /** Whether the user may run it; true by default. */
  isAllowed?: boolean;
  /** Whether it ends the session or leaves the organization, so that it's never preselected. */
  changesContext?: true;
  /** Returns a promise if it shows another page. */
  run: () => unknown;
}

interface FoundCommands {
  /** Actions whose label contains each word of the text. */
  byLabel: Command[];
  /** Other matches, which also need the keywords. */
  byKeyword: Command[];
}

/** The actions that match the text, and that the user has permission for. */
export function useCommands(text: string, open: (dialog: CommandDialog) => void): FoundCommands {
  const { permissions: held, canCreateOrganizations } = useMe();
  const navigate = useNavigate();
  const { mutate: signOut } = useSignOut();
  const { setColorScheme } = useMantineColorScheme();
  const next = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  const commands: Command[] = [
    {
      label: 'Create key',
      keywords: 'new api',
      icon: IconKey,
      permissions: ['get-api-keys', 'create-api-keys'],
      run: () => open('create-key'),
    },
    {
      label: 'Invite member',
      keywords: 'add user create invitation',
      icon: IconUserPlus,
      permissions: ['get-members', 'create-members', 'get-roles'],
      run: () => open('invite-member'),
    },
    {
      label: 'Your account',
      keywords: 'profile name change password sessions devices',
      icon: IconUserCircle,
      run: () => navigate({ to: '/dashboard/account' }),
    },
    {
      label: 'Service accounts',
      keywords: 'members programs automation',
      icon: IconRobot,
      permissions: ['get-members', 'get-service-accounts'],
      run: () => navigate({ to: '/dashboard/members', search: { view: 'service-accounts' } }),
    },
    {
      label: 'Invitations',
      keywords: 'members pending invites',
      icon: IconMail,
      permissions: ['get-members'],
      run: () => navigate({ to: '/dashboard/members', search: { view: 'invitations' } }),
    },
    {
      label: 'Create role',
      keywords: 'new add permissions',
      icon: IconShieldPlus,
      permissions: ['get-roles', 'create-roles'],
      run: () => open('create-role'),
    },
    {
      label: 'Create service account',
      keywords: 'new add client credentials program automation',
      icon: IconRobot,
      permissions: ['get-members', 'get-service-accounts', 'create-service-accounts', 'get-roles'],
      run: () => open('create-service-account'),
    },
    {
      label: 'Create organization',
      keywords: 'new',
      icon: IconBuildingPlus,
      isAllowed: canCreateOrganizations,
      run: () => open('create-organization'),
    },
    {
      label: `Switch to ${next} mode`,
      keywords: 'color scheme theme appearance',
      icon: next === 'dark' ? IconMoon : IconSun,
      run: () => setColorScheme(next),
    },
    {
      label: 'API docs',
      keywords: 'documentation reference openapi help',
      icon: IconExternalLink,
      run: () => window.open('/docs', '_blank', 'noreferrer'),
    },
    { label: 'Sign out', keywords: 'log out logout', icon: IconLogout, changesContext: true, run: () => signOut() },
  ];
  const words = text.toLowerCase().split(/\s+/);
  const matches = (content: string) => words.every((word) => content.toLowerCase().includes(word));
  const allowed = commands.filter(
    ({ permissions = [], isAllowed = true }) => isAllowed && permissions.every((one) => held.includes(one)),
  );
  return {
    byLabel: allowed.filter(({ label }) => matches(label)),
    byKeyword: allowed.filter(({ label, keywords }) => !matches(label) && matches(`${label} ${keywords}`)),
  };
}

/** The dialog of the last action in the search. */
export function CommandDialogs({ dialog: { subject, isOpen, close } }: { dialog: Dialog<CommandDialog> }) {
  const navigate = useNavigate();
  const role = typeof subject === 'object' ? subject.role : undefined;
  const editsRole = subject === 'create-role' || role !== undefined;
  const { data } = useQuery({ ...permissionsQuery, enabled: editsRole });
  const permissions = data?.permissions;
  const common = { isOpen, onClose: close };
  return (
    <Suspense>
      {subject === 'create-key' && (
        <CreateKeyModal {...common} onSaved={() => void navigate({ to: '/dashboard/keys' })} />
      )}
      {subject === 'invite-member' && <InviteModal {...common} invitee={noInvitee} />}
      {editsRole && permissions !== undefined && (
        <RoleEditor {...common} {...(role && { role })} permissions={permissions} />
      )}
      {subject === 'create-service-account' && <CreateServiceAccountModal {...common} />}
      {subject === 'create-organization' && <CreateOrganizationModal {...common} />}
    </Suspense>
  );
}
