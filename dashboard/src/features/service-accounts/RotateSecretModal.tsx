import { useState } from 'react';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { ClientCredentials, ServiceAccount } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { minuteTime } from '../../lib/format-time.js';
import { NewSecretModal } from '../../ui/NewSecretModal.js';
import { getGraceEnd } from '../../common/secrets/grace-period.js';
import { RotateKeyForm } from '../../common/secrets/RotateKeyForm.js';
import { NewCredentials } from './NewCredentials.js';

interface RotateSecretModalProps {
  account: ServiceAccount;
  isOpen: boolean;
  onClose: () => void;
}

/** Replaces a client secret, keeps the current one working for a grace period, and shows the new one once. */
export function RotateSecretModal({ account, isOpen, onClose }: RotateSecretModalProps) {
  const { id, name } = account;
  const [graceEnd, setGraceEnd] = useState<string>();
  const rotate = (gracePeriodSeconds: number, now: number) => {
    setGraceEnd(getGraceEnd(gracePeriodSeconds, { now }));
    const options = { params: { path: { id } }, body: { gracePeriodSeconds } };
    return unwrap(api.POST('/service-accounts/{id}/rotate', options));
  };
  const note =
    graceEnd === undefined
      ? 'The previous client secret no longer works.'
      : `The previous client secret keeps working until ${minuteTime(graceEnd)}.`;
  return (
    <NewSecretModal<ClientCredentials>
      isOpen={isOpen}
      onClose={onClose}
      title="Rotate client secret"
      savedTitle="Save the client secret"
      form={(issue) => (
        <RotateKeyForm
          name={name}
          noun="client secret"
          previous={account}
          // The secret may have been rotated although the response was lost.
          rotate={(seconds) => issue(() => rotate(seconds, Date.now())).finally(() => void refresh('service-accounts'))}
        />
      )}
      secret={(credentials, onSaved) => <NewCredentials {...{ credentials, note, onSaved }} />}
    />
  );
}
