import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { Role, ServiceAccount } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { notifyDone } from '../../lib/notify.js';
import { usePermission } from '../../session/me.js';
import { PermissionTooltip } from '../../ui/PermissionTooltip.js';
import { RoleField } from '../roles/RoleField.js';

/** The account's role: a select for users who can change it, otherwise text. */
export function ServiceAccountRole({ account }: { account: ServiceAccount }) {
  if (!usePermission('update-service-accounts')) return <Text size="sm">{account.role.name}</Text>;
  return (
    <PermissionTooltip permission="get-roles">
      {(isDisabled) => <ServiceAccountRoleField account={account} isDisabled={isDisabled} />}
    </PermissionTooltip>
  );
}

function ServiceAccountRoleField({ account, isDisabled }: { account: ServiceAccount; isDisabled: boolean }) {
  const { id, name, role: currentRole } = account;
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: async ({ id: roleId }: Role) => {
      await unwrap(api.PATCH('/service-accounts/{id}', { params: { path: { id } }, body: { roleId } }));
      await refresh('service-accounts');
    },
    onSuccess: (_result, role) => notifyDone(`The role of ${name} is now ${role.name}.`),
  });
  return (
    <RoleField
      aria-label={`Role of ${name}`}
      w={{ base: '100%', sm: 180 }}
      value={isPending ? variables.id : currentRole.id}
      fallbackName={currentRole.name}
      onChange={(role) => mutate(role)}
      isDisabled={isDisabled || isPending}
      error={error?.message}
    />
  );
}
