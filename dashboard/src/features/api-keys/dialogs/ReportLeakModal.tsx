import { Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../../api/api.js';
import { refresh } from '../../../api/refresh.js';
import { unwrap } from '../../../api/service-error.js';
import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { notifyDone } from '../../../lib/notify.js';
import { ConfirmModal } from '../../../ui/ConfirmModal.js';

interface ReportLeakModalProps {
  apiKey: ListedApiKey;
  isOpen: boolean;
  onClose: () => void;
}

/** Asks before a key is reported as leaked, which disables it, then shows what it was used for. */
export function ReportLeakModal({ apiKey: { id, name }, isOpen, onClose }: ReportLeakModalProps) {
  const navigate = useNavigate();
  return (
    <ConfirmModal
      isOpen={isOpen}
      onClose={onClose}
      title="Report leak"
      actionLabel="Report and disable"
      action={async () => {
        await unwrap(api.POST('/api-keys/{id}/report-leak', { params: { path: { id } } }));
        // Failed requests say what to do about the leak.
        await refresh('api-keys', 'usage');
      }}
      onDone={() => {
        onClose();
        notifyDone(`${name} reported and disabled. Requests using it are now rejected.`);
        void navigate({ to: '/dashboard/keys/$id', params: { id } });
      }}
    >
      <Text size="sm">
        Anything using {name} will stop working immediately. Its page then shows what it was used for. To replace it,
        rotate it and enable it again.
      </Text>
    </ConfirmModal>
  );
}
