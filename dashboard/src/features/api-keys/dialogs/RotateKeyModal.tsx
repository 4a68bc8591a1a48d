import { useState } from 'react';
import { api } from '../../../api/api.js';
import { refresh } from '../../../api/refresh.js';
import { unwrap } from '../../../api/service-error.js';
import { exactTime } from '../../../lib/format-time.js';
import type { ListedApiKey } from '../api-keys.js';
import { graceEnd } from './grace-period.js';
import { NewKeyModal } from '../new-key/NewKeyModal.js';
import { RotateKeyForm } from './RotateKeyForm.js';

interface RotateKeyModalProps {
  apiKey: ListedApiKey;
  isOpen: boolean;
  onClose: () => void;
}

/** Puts a new key in the place of one, which goes on for as long as is chosen, and shows the new one this once. */
export function RotateKeyModal({ apiKey, isOpen, onClose }: RotateKeyModalProps) {
  const { id, name, expiresAt } = apiKey;
  const [formerUntil, setFormerUntil] = useState<string>();
  const rotate = (gracePeriodSeconds: number, now: number) => {
    setFormerUntil(graceEnd(gracePeriodSeconds, { now, expiresAt }));
    return unwrap(api.POST('/api-keys/{id}/rotate', { params: { path: { id } }, body: { gracePeriodSeconds } }));
  };
  return (
    <NewKeyModal
      isOpen={isOpen}
      onClose={onClose}
      title="Rotate key"
      note={
        formerUntil === undefined
          ? 'The old key is refused from now on.'
          : `The old key is accepted until ${exactTime(formerUntil)}.`
      }
      form={(issue) => (
        <RotateKeyForm
          name={name}
          rotate={(seconds) => issue(() => rotate(seconds, Date.now())).then(() => refresh('api-keys'))}
          onCancel={onClose}
        />
      )}
    />
  );
}
