import { Button, Group, NumberInput, Paper, Stack, Switch, Title } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { OrganizationDetails } from '../../api/schema.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { NameInput } from '../../ui/NameInput.js';
import { UnsavedChangesPrompt } from '../../ui/UnsavedChangesPrompt.js';
import { ReadOnlyAlert } from '../../ui/ReadOnlyAlert.js';
import { usePermission } from '../../session/me.js';
import { maxLifetimeDays, type OrganizationValues } from './settings.js';
import { OnLeakField } from './OnLeakField.js';
import { TimeZoneSelect } from './TimeZoneSelect.js';
import { useSettingsForm } from './use-settings-form.js';

const suffix = ' days';
/** Has room for one more digit, so that a number that is too large shows an error instead of being cut off. */
const maxLifetimeLength = `${maxLifetimeDays * 10}${suffix}`.length;

/** The organization's settings, read-only for users who can't change them. */
export function OrganizationSettings({ organization }: { organization: OrganizationDetails }) {
  const isReadOnly = !usePermission('update-organization');
  const { form, isChanged, isPending, formError, submit } = useSettingsForm(organization);
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="settings">
      <Title order={2} size="h4" mb="md" id="settings">
        Settings
      </Title>
      <form onSubmit={submit} noValidate>
        <Stack gap="lg" maw={480}>
          {isReadOnly && <ReadOnlyAlert permission="update-organization" />}
          <NameInput readOnly={isReadOnly} {...form.getInputProps('name')} />
          <TimeZoneSelect isReadOnly={isReadOnly} {...form.getInputProps('timeZone')} />
          <KeyLifetimeFields form={form} isReadOnly={isReadOnly} />
          <OnLeakField isReadOnly={isReadOnly} {...form.getInputProps('onLeak')} />
          {formError !== null && <ErrorAlert error={formError} />}
          {!isReadOnly && (
            <Group>
              <Button type="submit" loading={isPending} disabled={!isChanged}>
                Save changes
              </Button>
            </Group>
          )}
        </Stack>
      </form>
      <UnsavedChangesPrompt isDirty={isChanged} />
    </Paper>
  );
}

interface KeyLifetimeFieldsProps {
  form: UseFormReturnType<OrganizationValues>;
  isReadOnly: boolean;
}

function KeyLifetimeFields({ form, isReadOnly }: KeyLifetimeFieldsProps) {
  return (
    <>
      <Switch
        label="Limit the lifetime of new keys"
        description="New keys must expire within this limit. Existing keys aren't affected."
        disabled={isReadOnly}
        {...form.getInputProps('hasLongestLifetime', { type: 'checkbox' })}
      />
      {form.values.hasLongestLifetime && (
        <NumberInput
          label="Maximum lifetime"
          suffix={suffix}
          min={1}
          max={maxLifetimeDays}
          maxLength={maxLifetimeLength}
          clampBehavior="none"
          allowDecimal={false}
          allowNegative={false}
          readOnly={isReadOnly}
          w={200}
          {...form.getInputProps('longestKeyLifetimeDays')}
        />
      )}
    </>
  );
}
