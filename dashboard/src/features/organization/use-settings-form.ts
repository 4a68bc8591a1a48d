import { useForm } from '@mantine/form';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { OrganizationDetails } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { checkOnBlur } from '../../lib/check-on-blur.js';
import { notifyDone } from '../../lib/notify.js';
import { checkName } from '../../lib/text-rules.js';
import { useFormSubmission } from '../../hooks/use-form-submission.js';
import { checkLifetimeDays, type OrganizationValues, settingsChanges } from './settings.js';

const defaultLifetimeDays = 90;

/** State and submission of the settings form. */
export function useSettingsForm(organization: OrganizationDetails) {
  const { name, longestKeyLifetimeDays, timeZone, onLeak } = organization;
  const form = useForm<OrganizationValues>({
    initialValues: {
      name,
      hasLongestLifetime: longestKeyLifetimeDays !== null,
      longestKeyLifetimeDays: longestKeyLifetimeDays ?? defaultLifetimeDays,
      timeZone,
      onLeak,
    },
    validate: { name: checkName, longestKeyLifetimeDays: (_days, values) => checkLifetimeDays(values) },
    enhanceGetInputProps: checkOnBlur,
  });
  const submission = useFormSubmission({
    form,
    send: (values) =>
      unwrap(api.PATCH('/organizations/current', { body: settingsChanges(organization, values) ?? {} })),
    onDone: async () => {
      notifyDone('Settings saved.');
      await refresh('organizations', 'me');
    },
  });
  return { form, isChanged: settingsChanges(organization, form.values) !== undefined, ...submission };
}
