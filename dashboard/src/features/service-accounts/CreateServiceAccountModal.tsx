import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { ClientCredentials } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { useFormSubmission } from '../../hooks/use-form-submission.js';
import { checkName } from '../../lib/text-rules.js';
import { FormActions } from '../../ui/FormActions.js';
import { NameInput } from '../../ui/NameInput.js';
import { type Issue, NewSecretModal } from '../../ui/NewSecretModal.js';
import { RoleField } from '../../common/roles/RoleField.js';
import { NewCredentials } from './NewCredentials.js';

interface CreateServiceAccountModalProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Creates a service account, then shows its credentials once. */
export function CreateServiceAccountModal({ isOpen, onClose }: CreateServiceAccountModalProps) {
  return (
    <NewSecretModal<ClientCredentials>
      isOpen={isOpen}
      onClose={onClose}
      title="Create service account"
      savedTitle="Save the client secret"
      form={(issue) => <CreateServiceAccountForm issue={issue} />}
      secret={(credentials, onSaved) => <NewCredentials credentials={credentials} onSaved={onSaved} />}
    />
  );
}

function CreateServiceAccountForm({ issue }: { issue: Issue<ClientCredentials> }) {
  const form = useForm<{ name: string; roleId: string | null }>({
    initialValues: { name: '', roleId: null },
    validate: { name: checkName, roleId: (roleId) => (roleId === null ? 'A role is required.' : undefined) },
  });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: async ({ name, roleId }) => {
      const body = { name: name.trim(), roleId: roleId ?? '' };
      await issue(() => unwrap(api.POST('/service-accounts', { body })));
      await refresh('service-accounts', 'roles');
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <NameInput
          description="Name it after the script or pipeline that will use it."
          {...form.getInputProps('name')}
        />
        <RoleField
          label="Role"
          placeholder="Select a role"
          value={form.values.roleId}
          onChange={({ id }) => form.setFieldValue('roleId', id)}
          error={form.errors['roleId']}
        />
        <FormActions submitLabel="Create service account" isPending={isPending} error={formError} />
      </Stack>
    </form>
  );
}
