import { Button, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { Me } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { useFormSubmission } from '../../hooks/use-form-submission.js';
import { useUnsavedChanges } from '../../hooks/use-unsaved-changes.js';
import { CenteredCard } from '../../ui/CenteredCard.js';
import { checkOnBlur } from '../../lib/check-on-blur.js';
import { lazyComponent } from '../../lib/lazy-component.js';
import { focusMain } from '../../lib/restore-focus.js';
import { checkName } from '../../lib/text-rules.js';
import { useMe } from '../../session/me.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { NameInput } from '../../ui/NameInput.js';

// Lazy, because dialogs aren't part of the first download.
const UnsavedChangesModal = lazyComponent(() => import('../../ui/UnsavedChangesModal.js'), 'UnsavedChangesModal');

const skippedNamesKey = 'keycard.skipped-first-names';
/** What a new installation starts with. */
const initialNames = { organization: 'Default', user: 'Administrator' };

/** After the first sign-in to a new installation, asks for names before it shows the page the user came for. */
export function FirstNames({ children }: { children: ReactNode }) {
  const me = useMe();
  const [isSkipped, setIsSkipped] = useState(() => localStorage.getItem(skippedNamesKey) !== null);
  if (isSkipped || !hasInitialNames(me)) return children;
  const skip = () => {
    localStorage.setItem(skippedNamesKey, 'yes');
    setIsSkipped(true);
  };
  return (
    <CenteredCard title="Welcome to Keycard">
      <FirstNamesForm onSkip={skip} />
    </CenteredCard>
  );
}

function hasInitialNames({ organization, user, permissions }: Me): boolean {
  const isNew = organization.name === initialNames.organization && user.name === initialNames.user;
  return isNew && permissions.includes('update-organization');
}

function FirstNamesForm({ onSkip }: { onSkip: () => void }) {
  // The focused button is removed with the form.
  useEffect(() => focusMain, []);
  const form = useForm({
    initialValues: { organizationName: '', userName: '' },
    validate: { organizationName: checkName, userName: checkName },
    enhanceGetInputProps: checkOnBlur,
  });
  const { tryToClose, ...confirmation } = useUnsavedChanges({ isDirty: form.isDirty(), onClose: onSkip });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: async ({ organizationName, userName }) => {
      await unwrap(api.PATCH('/auth/me', { body: { name: userName.trim() } }));
      await unwrap(api.PATCH('/organizations/current', { body: { name: organizationName.trim() } }));
    },
    onDone: () => refresh('me', 'organizations', 'members'),
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">Your name is shown on the Members page. You can change both names later.</Text>
        <NameInput
          label="Organization name"
          placeholder="Example Ltd."
          autoComplete="organization"
          autoFocus
          {...form.getInputProps('organizationName')}
        />
        <NameInput
          label="Your name"
          placeholder="Ada Lovelace"
          autoComplete="name"
          {...form.getInputProps('userName')}
        />
        {formError !== null && <ErrorAlert error={formError} />}
        <Stack gap="xs">
          <Button type="submit" loading={isPending}>
            Save
          </Button>
          <Button variant="subtle" onClick={tryToClose} disabled={isPending}>
            Not now
          </Button>
        </Stack>
      </Stack>
      <Suspense>{form.isDirty() && <UnsavedChangesModal {...confirmation} />}</Suspense>
    </form>
  );
}
