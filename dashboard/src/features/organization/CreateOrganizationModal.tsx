import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { MyOrganization } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { FormActions } from '../../ui/FormActions.js';
import { FormModal } from '../../ui/FormModal.js';
import { NameInput } from '../../ui/NameInput.js';
import { checkOnBlur } from '../../lib/check-on-blur.js';
import { foldText } from '../../lib/fold-text.js';
import { checkName } from '../../lib/text-rules.js';
import { useFormSubmission } from '../../hooks/use-form-submission.js';
import { organizationsQuery } from '../../common/organizations/organizations.js';
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

/** Rejects the name of an organization of the user, who couldn't tell the two apart. */
function checkUnused(name: string, organizations: readonly MyOrganization[]): string | undefined {
  const isUsed = organizations.some((organization) => foldText(organization.name) === foldText(name.trim()));
  return isUsed ? "You're already in an organization with this name." : undefined;
}

function CreateOrganizationForm({ onClose }: Pick<CreateOrganizationModalProps, 'onClose'>) {
  const { switchTo } = useSwitchOrganization();
  const { data } = useQuery(organizationsQuery);
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (name) => checkName(name) ?? checkUnused(name, data?.organizations ?? []) },
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
