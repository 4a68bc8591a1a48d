import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { AttentionItem } from '../../api/schema.js';
import type { AttentionKind } from './describe-attention.js';

type NameProps = Pick<AttentionItem, 'id' | 'name'> & { kind: AttentionKind };

/** The name of a key, webhook, model or member, which leads to its page. */
export function NameLink({ kind, id, name }: NameProps) {
  switch (kind) {
    case 'leaked-keys':
    case 'keys-near-limits':
    case 'expiring-keys':
    case 'keys-known-to-former-members':
    case 'unused-keys':
      return (
        <Anchor size="sm" renderRoot={(props) => <Link to="/dashboard/keys/$id" params={{ id }} {...props} />}>
          {name}
        </Anchor>
      );
    case 'failing-webhooks':
      return (
        <Anchor size="sm" renderRoot={(props) => <Link to="/dashboard/webhooks/$id" params={{ id }} {...props} />}>
          {name}
        </Anchor>
      );
    case 'failing-upstreams':
      return (
        <Anchor size="sm" renderRoot={(props) => <Link to="/dashboard/models" {...props} />}>
          {name} ({id})
        </Anchor>
      );
    case 'members-never-signed-in':
      return (
        <Anchor size="sm" renderRoot={(props) => <Link to="/dashboard/members" search={{ search: name }} {...props} />}>
          {name}
        </Anchor>
      );
  }
}

/** Links to the full list, if there is one. */
export function ListLink({ kind }: { kind: AttentionKind }) {
  switch (kind) {
    case 'leaked-keys':
      return <KeysLink search={{ state: 'leaked' }} />;
    case 'expiring-keys':
      return <KeysLink search={{ state: 'expiring', orderBy: 'expiresAt', order: 'ASC' }} />;
    case 'keys-known-to-former-members':
      return <KeysLink search={{ state: 'known-to-former-members' }} />;
    case 'unused-keys':
      return <KeysLink search={{ state: 'unused', orderBy: 'lastUsedAt', order: 'ASC' }} />;
    case 'failing-webhooks':
      return (
        <Anchor size="sm" renderRoot={(props) => <Link to="/dashboard/webhooks" {...props} />}>
          View webhooks
        </Anchor>
      );
    case 'members-never-signed-in':
      return (
        <Anchor size="sm" renderRoot={(props) => <Link to="/dashboard/members" {...props} />}>
          View members
        </Anchor>
      );
    case 'failing-upstreams':
    case 'keys-near-limits':
      return null;
  }
}

/** Leads to the organization's limits: budgets and others. */
export function LimitsLink() {
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to="/dashboard/organization" {...props} />}>
      View all limits
    </Anchor>
  );
}

interface KeysLinkProps {
  search: {
    state: 'leaked' | 'expiring' | 'unused' | 'known-to-former-members';
    orderBy?: 'expiresAt' | 'lastUsedAt';
    order?: 'ASC';
  };
}

function KeysLink({ search }: KeysLinkProps) {
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to="/dashboard/keys" search={search} {...props} />}>
      View keys
    </Anchor>
  );
}
