import { Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { maxEmailLength } from '@rules/email-address.js';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { CreatedInvitation } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { FormActions } from '../../ui/FormActions.js';
import { checkOnBlur } from '../../lib/check-on-blur.js';
import { checkEmail, fieldLength } from '../../lib/text-rules.js';
import { useFormSubmission } from '../../hooks/use-form-submission.js';
import { RoleField } from '../../common/roles/RoleField.js';
import type { Invitee } from './InviteModal.js';

interface InviteFormProps {
  invitee: Invitee;
  onCreated: (invitation: CreatedInvitation) => void;
}

/** The email and role of a new invitation. */
export function InviteForm({ invitee, onCreated }: InviteFormProps) {
  const form = useForm({
    initialValues: invitee,
    enhanceGetInputProps: checkOnBlur,
    validate: {
      email: checkEmail,
      roleId: (roleId) => (roleId === null ? 'A role is required.' : undefined),
    },
  });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: ({ email, roleId }) => unwrap(api.POST('/members', { body: { email, roleId: roleId ?? '' } })),
    onDone: (invitation) => {
      void refresh('invitations', 'roles');
      onCreated(invitation);
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label="Email"
          type="email"
          maxLength={fieldLength(maxEmailLength)}
          placeholder="ada@example.com"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('email')}
        />
        <RoleField
          label="Role"
          placeholder="Select a role"
          value={form.values.roleId}
          onChange={({ id }) => form.setFieldValue('roleId', id)}
          error={form.errors['roleId']}
        />
        <FormActions submitLabel="Create invitation" isPending={isPending} error={formError} />
      </Stack>
    </form>
  );
}
