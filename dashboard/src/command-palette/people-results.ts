import { IconRobot, IconShieldCheck, IconUser, IconUserX } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { describeUses } from '../features/roles/role-uses.js';
import type { CommandDialog } from './commands.js';
import type { OnNavigate, Result } from './results.js';
import { useFoundFormerMembers, useFoundMembers, useFoundRoles, useFoundServiceAccounts } from './use-found.js';

/** Each leads to the page of the person. */
export function useMemberResults(searched: string, onNavigate: OnNavigate) {
  const navigate = useNavigate();
  const { found, ...state } = useFoundMembers(searched);
  const results = found.map(({ userId: id, name, email }): Result => ({
    key: `member ${id}`,
    label: name,
    description: email,
    icon: IconUser,
    needsChoice: false,
    run: () => void navigate({ to: '/dashboard/members/$id', params: { id } }).then(onNavigate),
  }));
  return { results, ...state };
}

/** Each leads to the page of the service account. */
export function useServiceAccountResults(searched: string, onNavigate: OnNavigate) {
  const navigate = useNavigate();
  const { found, ...state } = useFoundServiceAccounts(searched);
  const results = found.map(({ id, name, role }): Result => ({
    key: `service account ${id}`,
    label: name,
    description: role.name,
    icon: IconRobot,
    needsChoice: false,
    run: () => void navigate({ to: '/dashboard/members/service-accounts/$id', params: { id } }).then(onNavigate),
  }));
  return { results, ...state };
}

/** Each opens the role. */
export function useRoleResults(text: string, openDialog: (dialog: CommandDialog) => void) {
  const { found, ...state } = useFoundRoles(text);
  const results = found.map((role): Result => ({
    key: `role ${role.id}`,
    label: role.name,
    description: describeUses(role).join(' · ') || '0 members',
    icon: IconShieldCheck,
    needsChoice: false,
    run: () => openDialog({ role }),
  }));
  return { results, ...state };
}

/** Each leads to the page of the person, with the keys they left. */
export function useFormerMemberResults(searched: string, onNavigate: OnNavigate) {
  const navigate = useNavigate();
  const { found, ...state } = useFoundFormerMembers(searched);
  const results = found.map(({ userId: id, name, email }): Result => ({
    key: `former member ${id}`,
    label: name,
    description: email,
    icon: IconUserX,
    needsChoice: false,
    run: () => void navigate({ to: '/dashboard/members/$id', params: { id } }).then(onNavigate),
  }));
  return { results, ...state };
}
