import { Button, Group, Paper, Stack, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import { unwrap } from '../../api/service-error.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { NameInput } from '../../ui/NameInput.js';
import { UnsavedChangesPrompt } from '../../ui/UnsavedChangesPrompt.js';
import { notifyDone } from '../../lib/notify.js';
import { checkName } from '../../lib/text-rules.js';
import { useFormSubmission } from '../../hooks/use-form-submission.js';
import { queryClient } from '../../query-client.js';
import { meQuery, useMe } from '../../session/me.js';

/** Changes the user's name. */
export function ProfileForm() {
  const { user } = useMe();
  const form = useForm({ initialValues: { name: user.name }, validate: { name: checkName } });
  const isChanged = form.values.name.trim() !== user.name;
  const { submit, isPending, formError } = useFormSubmission({
    form,
    isChanged,
    send: ({ name }) => unwrap(api.PATCH('/auth/me', { body: { name } })),
    onDone: async (me) => {
      queryClient.setQueryData(meQuery.queryKey, me);
      form.setValues({ name: me.user.name });
      notifyDone('Name saved.');
      await refresh('members', 'api-keys');
    },
  });
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="profile">
      <Title order={2} size="h4" mb="md" id="profile">
        Profile
      </Title>
      <form onSubmit={submit} noValidate>
        <Stack maw={400}>
          <NameInput
            description="Shown wherever you appear, such as next to keys and in the audit log."
            autoComplete="name"
            data-autofocus={undefined}
            {...form.getInputProps('name')}
          />
          <TextInput
            label="Email"
            description="Identifies your account, and can't be changed."
            value={user.email}
            readOnly
            variant="filled"
          />
          {formError !== null && <ErrorAlert error={formError} />}
          <Group>
            <Button type="submit" loading={isPending} disabled={!isChanged}>
              Save name
            </Button>
          </Group>
        </Stack>
      </form>
      <UnsavedChangesPrompt isDirty={isChanged} />
    </Paper>
  );
}
