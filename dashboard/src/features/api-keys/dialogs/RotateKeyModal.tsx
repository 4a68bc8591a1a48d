import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/api.js';
import { refresh } from '../../../api/refresh.js';
import { unwrap } from '../../../api/service-error.js';
import { minuteTime } from '../../../lib/format-time.js';
import { apiKeyQuery, type ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { getGraceEnd } from '../../../common/secrets/grace-period.js';
import { findHolder, nameHolder } from '../details/describe-holder.js';
import { leakedSecretOf } from '../leaked-secret.js';
import { NewKeyModal } from '../new-key/NewKeyModal.js';
import { RotateKeyForm } from '../../../common/secrets/RotateKeyForm.js';

interface RotateKeyModalProps {
  apiKey: ListedApiKey;
  isOpen: boolean;
  onClose: () => void;
}

/** Replaces the secret of a key, keeps the current one working for a grace period unless it leaked, and shows the new one once. */
export function RotateKeyModal({ apiKey, isOpen, onClose }: RotateKeyModalProps) {
  const { id, name, expiresAt } = apiKey;
  const { data: details } = useQuery(apiKeyQuery(id));
  const holder = findHolder(details, 'current');
  const [graceEnd, setGraceEnd] = useState<string>();
  const rotate = async (gracePeriodSeconds: number, now: number) => {
    setGraceEnd(getGraceEnd(gracePeriodSeconds, { now, expiresAt }));
    const request = api.POST('/api-keys/{id}/rotate', { params: { path: { id } }, body: { gracePeriodSeconds } });
    return { ...(await unwrap(request)), models: details?.models };
  };
  return (
    <NewKeyModal
      isOpen={isOpen}
      onClose={onClose}
      title="Rotate key"
      note={[
        describePrevious({ graceEnd, isEnabled: (details ?? apiKey).enabled !== false }),
        ...(expiresAt === undefined ? [] : [`The new secret expires on ${minuteTime(expiresAt)}.`]),
      ].join(' ')}
      form={(issue) => (
        <RotateKeyForm
          name={name}
          previous={details}
          expiresAt={expiresAt}
          leaked={leakedSecretOf(details ?? apiKey)}
          warning={holder && `${nameHolder(holder)} can use the current secret until it's revoked.`}
          // The key may have been rotated although the response was lost.
          rotate={(seconds) =>
            issue(() => rotate(seconds, Date.now())).finally(() => void refresh('api-keys', 'usage'))
          }
        />
      )}
    />
  );
}

function describePrevious({ graceEnd, isEnabled }: { graceEnd: string | undefined; isEnabled: boolean }): string {
  const end = graceEnd === undefined ? undefined : minuteTime(graceEnd);
  if (!isEnabled) {
    return `This key is disabled. Once enabled, it works${end === undefined ? '' : `, and so does the previous secret until ${end}`}.`;
  }
  return end === undefined ? 'The previous secret no longer works.' : `The previous secret keeps working until ${end}.`;
}
