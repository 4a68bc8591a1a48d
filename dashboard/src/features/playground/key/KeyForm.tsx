import { Button, Divider, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { maxCheckedPasswordLength } from '@rules/text-rules.js';
import { refresh } from '../../../api/refresh.js';
import { useFormSubmission } from '../../../hooks/use-form-submission.js';
import { useSubmitLock } from '../../../hooks/use-submit-lock.js';
import { usePermission } from '../../../session/me.js';
import { PasswordField } from '../../../ui/PasswordField.js';
import { RequestError } from '../RequestError.js';
import classes from './Key.module.css';
import { checkKeyFormat, checkKeyState, type PlaygroundKey } from './playground-key.js';
import { createTemporaryKey } from './temporary-keys.js';

interface KeyFormProps {
  /** Why the previous key was rejected. */
  rejection: string | undefined;
  autoFocus: boolean;
  onChosen: (key: PlaygroundKey) => void;
}

/** Asks for an API key, unless the user may create one. */
export function KeyForm({ rejection, autoFocus, onChosen }: KeyFormProps) {
  const mayCreate = usePermission('create-api-keys');
  const mayList = usePermission('get-api-keys');
  const form = useForm({
    initialValues: { key: '' },
    initialErrors: { key: rejection },
    validate: { key: checkKeyFormat },
  });
  const { submit, formError } = useFormSubmission({
    form,
    send: async ({ key }) => ({ key: key.trim(), problem: mayList ? await checkKeyState(key) : undefined }),
    onDone: ({ key, problem }) => {
      if (problem === undefined) onChosen({ key });
      else form.setFieldError('key', problem);
    },
  });
  return (
    <Stack gap="md">
      <form onSubmit={submit}>
        <Group align="flex-start" gap="sm">
          <PasswordField
            className={classes.field}
            label="API key"
            placeholder="Paste a key"
            autoComplete="off"
            maxLength={maxCheckedPasswordLength}
            spellCheck={false}
            autoFocus={autoFocus}
            visibilityToggleButtonProps={{ 'aria-label': 'Show key', tabIndex: 0 }}
            {...form.getInputProps('key')}
          />
          <Button type="submit" variant={mayCreate ? 'default' : 'filled'} mt={{ base: 0, sm: 25 }}>
            Use this key
          </Button>
        </Group>
      </form>
      {formError !== null && <RequestError error={formError} />}
      {mayCreate && <TemporaryKey onChosen={onChosen} />}
    </Stack>
  );
}

function TemporaryKey({ onChosen }: Pick<KeyFormProps, 'onChosen'>) {
  const mayDelete = usePermission('delete-api-keys');
  const lock = useSubmitLock();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => createTemporaryKey(mayDelete),
    // The response contains the key, so don't cache it.
    gcTime: 0,
    onSuccess: onChosen,
    onError: lock.release,
    onSettled: () => void refresh('api-keys'),
  });
  return (
    <>
      <Divider label="or" />
      {error !== null && <RequestError error={error} />}
      <Group gap="sm">
        <Button loading={isPending} onClick={() => lock.run(mutate)} aria-describedby="temporary-key">
          Use a temporary key
        </Button>
        <span id="temporary-key" className={classes.hint}>
          Creates a key named Playground that expires in 1 hour and is then deleted.{' '}
          {mayDelete ? 'Closing or reloading the page deletes it earlier.' : 'Reloading the page forgets it.'}
        </span>
      </Group>
    </>
  );
}
