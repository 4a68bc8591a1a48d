import { useForm } from '@mantine/form';
import { api } from '../../../api/api.js';
import { refresh } from '../../../api/refresh.js';
import type { CreateRole, Role } from '../../../api/schema.js';
import { unwrap } from '../../../api/service-error.js';
import { checkOnBlur } from '../../../lib/check-on-blur.js';
import { checkName } from '../../../lib/text-rules.js';
import { useFormSubmission } from '../../../hooks/use-form-submission.js';
import { useMe } from '../../../session/me.js';
import { copyRole, roleChanges } from './role-changes.js';

interface RoleFormOptions {
  /** Omit to create a role. */
  role?: Role;
  /** Whose permissions a new role has at first. */
  copied?: Role;
  onDone: (role: Role) => void;
}

/** State and submission of the role form. */
export function useRoleForm({ role, copied, onDone }: RoleFormOptions) {
  const { permissions: held } = useMe();
  const before = role ?? (copied === undefined ? newRole : copyRole(copied, held));
  const form = useForm<CreateRole>({
    initialValues: { name: before.name, permissions: before.permissions },
    validate: { name: checkName },
    enhanceGetInputProps: checkOnBlur,
  });
  const isChanged = roleChanges(before, form.values) !== undefined;
  const submission = useFormSubmission({
    form,
    isChanged,
    send: (values) => send(role, values),
    onDone: async (saved) => {
      onDone(saved);
      // The user's own permissions may have changed.
      await refresh('me', 'roles', 'members');
    },
  });
  return { form, isChanged, ...submission };
}

const newRole: CreateRole = { name: '', permissions: [] };

function send(role: Role | undefined, values: CreateRole): Promise<Role> {
  if (role === undefined) return unwrap(api.POST('/roles', { body: values }));
  const body = roleChanges(role, values) ?? {};
  return unwrap(api.PATCH('/roles/{id}', { params: { path: { id: role.id } }, body }));
}
