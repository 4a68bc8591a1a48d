import type { Me, Role } from '../../api/schema.js';

type Permissions = Me['permissions'];

const named = 2;

/** What a role holds and the person does not: nobody gives what they do not hold. */
export function lackingPermissions({ permissions }: Pick<Role, 'permissions'>, held: Permissions): Permissions {
  return permissions.filter((permission) => !held.includes(permission));
}

/** What the person would lose by taking this role. */
export function lostPermissions({ permissions }: Pick<Role, 'permissions'>, held: Permissions): Permissions {
  return held.filter((permission) => !permissions.includes(permission));
}

/** Why a role cannot be given, such as "You lack get-usage, delete-roles and 3 more". */
export function explainLack(lacking: Permissions): string {
  const others = lacking.length - named;
  const names = lacking.slice(0, named).join(', ');
  return others > 0 ? `You lack ${names} and ${others} more` : `You lack ${names}`;
}
