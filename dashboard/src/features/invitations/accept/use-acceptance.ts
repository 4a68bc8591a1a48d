import type { UseFormReturnType } from '@mantine/form';
import type { AcceptInvitation } from '../../../api/schema.js';
import { publicApi } from '../../../api/public-api.js';
import { unwrap } from '../../../api/service-error.js';
import { useFormSubmission } from '../../../hooks/use-form-submission.js';
import { session } from '../../../session/session.js';

/** Accepts the invitation with what the form holds, then enters the organization. */
export function useAcceptance<Values extends Omit<AcceptInvitation, 'token'>>(
  token: string,
  form: UseFormReturnType<Values>,
) {
  return useFormSubmission({
    form,
    send: (values) => unwrap(publicApi.POST('/auth/accept-invitation', { body: { ...values, token } })),
    onDone: () => {
      session.restart();
      // The page is on its way out: the button stays busy until then.
      return new Promise<never>(() => undefined);
    },
  });
}
