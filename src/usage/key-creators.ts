import type { DataSource } from 'typeorm';
import type { Principal } from '../access/principal.js';
import type { UsageCreatorDto } from './dto/usage-report.dto.js';

/** Someone who was removed and is a member again is found once. */
const selectCreators = `
  select users.id, users.name, 'member' as kind
  from memberships join users on users.id = memberships.user_id
  where memberships.organization_id = $1 and users.id = any ($2)
  union all
  select user_id, name, 'former-member' from former_members
  where organization_id = $1 and user_id = any ($2) and not exists (
    select from memberships where organization_id = $1 and memberships.user_id = former_members.user_id
  )
  union all
  select id, name, 'service-account' from service_accounts where organization_id = $1 and id = any ($2)`;

/**
 * Returns a function that describes the users and service accounts of the principal's organization with these ids. Names
 * are left out unless the principal may see them elsewhere.
 */
export async function findCreators(
  dataSource: DataSource,
  { organizationId, permissions }: Principal,
  ids: readonly string[],
): Promise<(id: string) => UsageCreatorDto> {
  const found = await dataSource.query<UsageCreatorDto[]>(selectCreators, [organizationId, ids]);
  const creators = new Map(found.map((creator) => [creator.id, creator]));
  const maySee = (kind: UsageCreatorDto['kind']) =>
    permissions.includes('get-api-keys') ||
    permissions.includes(kind === 'service-account' ? 'get-service-accounts' : 'get-members');
  return (id) => {
    const { name, kind } = creators.get(id) ?? { name: null, kind: 'unknown' as const };
    return { id, name: maySee(kind) ? name : null, kind };
  };
}
