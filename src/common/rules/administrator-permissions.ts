/** Members with these permissions can restore all others, so an organization always keeps one. */
export const administratorPermissions = ['update-roles', 'update-members'] as const;
