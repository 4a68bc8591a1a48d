import { IconHistory, IconKey, IconSearch, IconTag } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { readSearchText } from '../common/api-keys/search.js';
import { formatCount } from '../lib/format-numbers.js';
import { hintAtStart } from '../lib/pasted-secret.js';
import { usePermission } from '../session/me.js';
import type { OnNavigate, Result } from './results.js';
import { useFoundDeletedKeys, useFoundKeys, useFoundTags } from './use-found.js';

/** The first keys, and a link to the others. */
export function useKeyResults(searched: string, onNavigate: OnNavigate) {
  const navigate = useNavigate();
  const { found, total, ...state } = useFoundKeys(searched);
  const search = readSearchText(searched);
  const results = found.map(({ id, name, hint, enabled }): Result => ({
    key: `key ${id}`,
    label: name,
    description: describeKey(hint, search.hint, enabled),
    icon: IconKey,
    needsChoice: false,
    run: () => void navigate({ to: '/dashboard/keys/$id', params: { id } }).then(onNavigate),
  }));
  if (total > found.length) {
    results.push({
      key: 'all keys',
      label: `Show all ${formatCount(total)} keys matching “${searched}”`,
      icon: IconSearch,
      needsChoice: false,
      run: () => void navigate({ to: '/dashboard/keys', search }).then(onNavigate),
    });
  }
  return { results, ...state };
}

/** Each leads to the list of the keys with a tag. */
export function useTagResults(text: string, onNavigate: OnNavigate) {
  const navigate = useNavigate();
  const { found, ...state } = useFoundTags(text);
  const results = found.map((tag): Result => ({
    key: `tag ${tag}`,
    label: `Keys with tag ${tag}`,
    icon: IconTag,
    needsChoice: false,
    run: () => void navigate({ to: '/dashboard/keys', search: { tag } }).then(onNavigate),
  }));
  return { results, ...state };
}

/** Leads from the first characters of a pasted key or client secret, which may be rotated or deleted, to its events. */
export function useSecretResults(text: string, onNavigate: OnNavigate): Result[] {
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

/** Each leads to the events of the key. */
export function useDeletedKeyResults(searched: string, onNavigate: OnNavigate) {
  const navigate = useNavigate();
  const { found, ...state } = useFoundDeletedKeys(searched);
  const results = found.map(({ id, name, formerName, hint }): Result => ({
    key: `deleted key ${id}`,
    label: name,
    description: [hint && `${hint}…`, formerName && `Formerly ${formerName}`, 'Deleted'].filter(Boolean).join(' · '),
    icon: IconHistory,
    needsChoice: false,
    run: () => void navigate({ to: '/dashboard/audit-log', search: { targetId: id } }).then(onNavigate),
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
