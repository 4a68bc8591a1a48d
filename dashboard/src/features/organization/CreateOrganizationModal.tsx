import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import { unwrap } from '../../api/service-error.js';
import { FormActions } from '../../ui/FormActions.js';
import { FormModal } from '../../ui/FormModal.js';
import { NameInput } from '../../ui/NameInput.js';
import { checkOnBlur } from '../../lib/check-on-blur.js';
import { checkName } from '../../lib/text-rules.js';
import { useFormSubmission } from '../../hooks/use-form-submission.js';
import { useSwitchOrganization } from './use-switch-organization.js';

interface CreateOrganizationModalProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Creates an organization and switches to it. */
export function CreateOrganizationModal({ isOpen, onClose }: CreateOrganizationModalProps) {
  return (
    <FormModal isOpen={isOpen} onClose={onClose} title="Create organization">
      <CreateOrganizationForm onClose={onClose} />
    </FormModal>
  );
}

function CreateOrganizationForm({ onClose }: Pick<CreateOrganizationModalProps, 'onClose'>) {
  const { switchTo } = useSwitchOrganization();
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: checkName },
    enhanceGetInputProps: checkOnBlur,
  });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: (values) => unwrap(api.POST('/organizations', { body: values })),
    onDone: ({ id, name }) => {
      onClose();
      void refresh('organizations');
      switchTo({ organizationId: id, message: `${name} created. You're in it now.` });
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <NameInput
          description="It has its own keys, members and roles. You'll be the Owner."
          autoComplete="organization"
          {...form.getInputProps('name')}
        />
        <FormActions submitLabel="Create organization" isPending={isPending} error={formError} />
      </Stack>
    </form>
  );
}
