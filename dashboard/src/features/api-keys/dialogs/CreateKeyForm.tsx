import { Button, Collapse, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure, useId } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { FormActions } from '../../../ui/FormActions.js';
import { NameInput } from '../../../ui/NameInput.js';
import { checkName } from '../../../lib/text-rules.js';
import { useFormSubmission } from '../../../hooks/use-form-submission.js';
import { checkExpiry, defaultLifetime, getExpiry } from './key-lifetime.js';
import { KeyExpiryInput } from './KeyExpiryInput.js';
import { SameNameHint } from './SameNameHint.js';
import type { CreateApiKey } from '../../../api/schema.js';
import { RestrictionFields } from '../restrictions/RestrictionFields.js';
import {
  changedRestrictions,
  checkedOnChange,
  noRestrictions,
  restrictionRules,
} from '../restrictions/restrictions.js';
import { TagsField } from '../restrictions/TagsField.js';

interface CreateKeyFormProps {
  /** The organization's maximum key lifetime; null means no limit. */
  maxDays: number | null;
  create: (settings: CreateApiKey) => Promise<void>;
}

/** Whether a field is in the section that is hidden at first. */
function isHiddenField(path: string): boolean {
  const field = path.split('.')[0] ?? path;
  return field in noRestrictions && field !== 'tags';
}

/** A form for the name, expiry, tags, limits and restrictions of a new key. */
export function CreateKeyForm({ maxDays, create }: CreateKeyFormProps) {
  const form = useForm({
    initialValues: { name: '', lifetime: defaultLifetime(maxDays), expiresAt: '', ...noRestrictions },
    validateInputOnChange: checkedOnChange,
    validate: {
      name: checkName,
      ...restrictionRules,
      expiresAt: (_time, values) => checkExpiry(values, { maxDays, now: Date.now() }),
    },
  });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: (values) => {
      const expiry = getExpiry(values, { maxDays, now: Date.now() });
      return create({
        name: values.name.trim(),
        expiresAt: expiry?.toISOString(),
        ...changedRestrictions(values, noRestrictions),
      });
    },
  });
  const { lifetime, expiresAt } = form.values;
  const [isOpened, { toggle }] = useDisclosure();
  // A hidden field must not have an error.
  const isOpen = isOpened || Object.keys(form.errors).some(isHiddenField);
  const sectionId = useId();
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <NameInput
          description="Name it after the service that will use it."
          placeholder="Search indexer"
          hint={<SameNameHint name={form.values.name} />}
          {...form.getInputProps('name')}
        />
        <KeyExpiryInput
          value={{ lifetime, expiresAt }}
          onChange={(change) => {
            form.clearFieldError('expiresAt');
            form.setValues(change);
          }}
          error={form.errors.expiresAt}
          maxDays={maxDays}
        />
        <TagsField {...form.getInputProps('tags')} />
        <div>
          <Button
            variant="subtle"
            size="compact-sm"
            px={0}
            leftSection={
              isOpen ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />
            }
            aria-expanded={isOpen}
            aria-controls={sectionId}
            onClick={toggle}
          >
            Limits and restrictions
          </Button>
          {/* Not animated: a hidden field can't get the focus. */}
          <Collapse expanded={isOpen} id={sectionId} transitionDuration={0}>
            <Stack pt="xs">
              <RestrictionFields form={form} hidesTags />
            </Stack>
          </Collapse>
        </div>
        <FormActions submitLabel="Create key" isPending={isPending} error={formError} />
      </Stack>
    </form>
  );
}
