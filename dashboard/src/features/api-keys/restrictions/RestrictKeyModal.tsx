import { Loader, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.js';
import { refresh } from '../../../api/refresh.js';
import type { ApiKeyDetails } from '../../../api/schema.js';
import { unwrap } from '../../../api/service-error.js';
import { useFormSubmission } from '../../../hooks/use-form-submission.js';
import { notifyDone } from '../../../lib/notify.js';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';
import { FormActions } from '../../../ui/FormActions.js';
import { FormModal } from '../../../ui/FormModal.js';
import { apiKeyQuery, type ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { useCurrency } from '../../../common/limits/use-currency.js';
import { useLimitWarning } from '../../../common/limits/use-limit-warning.js';
import { RestrictionFields } from './RestrictionFields.js';
import { changedRestrictions, checkedOnChange, restrictionRules, restrictionsOf } from './restrictions.js';

interface RestrictKeyModalProps {
  apiKey: ListedApiKey;
  isOpen: boolean;
  onClose: () => void;
}

/** Changes the limits, the restrictions and the note of a key. */
export function RestrictKeyModal({ apiKey: { id, name }, isOpen, onClose }: RestrictKeyModalProps) {
  return (
    <FormModal isOpen={isOpen} onClose={onClose} title={`Limits and restrictions for ${name}`} size="lg">
      <CurrentSettings id={id} onClose={onClose} />
    </FormModal>
  );
}

/** Shows the form once the settings are loaded: saving cached ones would undo changes made elsewhere. */
function CurrentSettings({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch, isFetchedAfterMount } = useQuery({ ...apiKeyQuery(id), refetchOnMount: 'always' });
  return (
    <>
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data === undefined || !isFetchedAfterMount ? (
        error === null && <Loader size="sm" />
      ) : (
        <RestrictKeyForm apiKey={data} onClose={onClose} />
      )}
    </>
  );
}

function RestrictKeyForm({ apiKey, onClose }: { apiKey: ApiKeyDetails; onClose: () => void }) {
  const { id, name, limits, models } = apiKey;
  const form = useForm({
    initialValues: restrictionsOf(apiKey, useCurrency()),
    validateInputOnChange: checkedOnChange,
    validate: restrictionRules,
  });
  const warnOfLimit = useLimitWarning({ rows: form.values.limits, states: limits, keyId: id });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: (values) => {
      const body = changedRestrictions(values, form.getInitialValues());
      return unwrap(api.PATCH('/api-keys/{id}', { params: { path: { id } }, body }));
    },
    onDone: async () => {
      await refresh('api-keys');
      onClose();
      notifyDone(`${name} updated. The change applies to its next request.`);
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <RestrictionFields form={form} warnOfLimit={warnOfLimit} allowsNoModel={models?.length === 0} />
        <FormActions submitLabel="Save" isPending={isPending} error={formError} />
      </Stack>
    </form>
  );
}
