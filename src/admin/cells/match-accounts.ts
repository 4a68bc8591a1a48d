import { CommandError } from '../admin-command.js';
import { type Cell, select } from './cell.js';

/** An account of the source, and the one that it becomes in the target. */
export interface MatchedAccount {
  sourceId: string;
  targetId: string;
  isNew: boolean;
}

interface SourceAccount {
  id: string;
  email: string;
}

interface TargetAccount extends SourceAccount {
  isVerified: boolean;
}

/** Members, and those whom single sign-on must not add again. */
const findAccounts = `
  select id, email from users where id in (
    select user_id from memberships where organization_id = $1
    union select user_id from provisioned_memberships where organization_id = $1
  ) order by id`;

const findMatches = `
  select id, email, email_verified_at is not null as "isVerified" from users
  where id = any ($1::uuid[]) or email = any ($2::text[])`;

/**
 * Matches the accounts of an organization with those of the target: by id, otherwise by email.
 *
 * An account with an unverified email may belong to someone else, who would then become a member. It's only matched if the
 * operator has checked that it belongs to the same person.
 *
 * @param trustsEmails whether the operator has
 * @throws CommandError that lists the accounts that can't be matched
 */
export async function matchAccounts(
  source: Cell,
  target: Cell,
  organizationId: string,
  trustsEmails: boolean,
): Promise<MatchedAccount[]> {
  const accounts = await select<SourceAccount>(source, findAccounts, [organizationId]);
  const found = await select<TargetAccount>(target, findMatches, [
    accounts.map(({ id }) => id),
    accounts.map(({ email }) => email),
  ]);
  const byId = new Map(found.map((account) => [account.id, account]));
  const byEmail = new Map(found.map((account) => [account.email, account]));
  const doubtful: string[] = [];
  const matched = accounts.map(({ id, email }): MatchedAccount => {
    const same = byId.get(id);
    const namesake = byEmail.get(email);
    if (same !== undefined && namesake !== undefined && same.id !== namesake.id) doubtful.push(email);
    if (same !== undefined) return { sourceId: id, targetId: id, isNew: false };
    if (namesake === undefined) return { sourceId: id, targetId: id, isNew: true };
    if (!namesake.isVerified && !trustsEmails) doubtful.push(email);
    return { sourceId: id, targetId: namesake.id, isNew: false };
  });
  if (doubtful.length > 0) {
    throw new CommandError(
      `The target has accounts with the emails of members, which it hasn't verified: ${doubtful.join(', ')}. ` +
        'If they belong to the same people, use --match-accounts. Otherwise, delete them there.',
    );
  }
  await assertIdentitiesFree(source, target, matched);
  return matched;
}

interface Identity {
  issuer: string;
  subject: string;
}

/** @throws CommandError if another account of the target signs in with the same identity */
async function assertIdentitiesFree(source: Cell, target: Cell, matched: readonly MatchedAccount[]): Promise<void> {
  const created = matched.filter(({ isNew }) => isNew).map(({ sourceId }) => sourceId);
  const identities = await select<Identity>(
    source,
    'select issuer, subject from user_identities where user_id = any ($1::uuid[])',
    [created],
  );
  const taken = await select<{ email: string }>(
    target,
    `select email from user_identities join users on users.id = user_id
     where (issuer, subject) in (select * from unnest($1::text[], $2::text[])) order by email`,
    [identities.map(({ issuer }) => issuer), identities.map(({ subject }) => subject)],
  );
  if (taken.length === 0) return;
  throw new CommandError(
    `Members sign in as other accounts of the target at the identity provider: ${taken.map(({ email }) => email).join(', ')}. ` +
      'Give these accounts the same email in both cells.',
  );
}
