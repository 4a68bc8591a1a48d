import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.js';
import { ignoreNotFound } from '../../../api/service-error.js';
import { isExpired } from '../../../common/api-keys/is-expired.js';
import { ConfirmModal } from '../../../ui/ConfirmModal.js';
import { notifyDone } from '../../../lib/notify.js';
import { Time } from '../../../ui/Time.js';
import { useNow } from '../../../hooks/use-now.js';
import { usePermission } from '../../../session/me.js';
import { lastDayQuery } from '../key-usage.js';
import { apiKeyQuery, enabledSubject, forgetApiKey, type ListedApiKey } from '../../../common/api-keys/api-keys.js';

interface DeleteKeyModalProps {
  apiKey: ListedApiKey;
  isOpen: boolean;
  onClose: () => void;
  onDeleted?: () => Promise<void>;
}

/** Shows the recent use of a key, and deletes it. Unless it has expired, the user must type its name first. */
export function DeleteKeyModal({ apiKey, isOpen, onClose, onDeleted }: DeleteKeyModalProps) {
  const { id, name } = apiKey;
  const hasExpired = isExpired(apiKey, useNow());
  const finish = async () => {
    onClose();
    await onDeleted?.();
    const message = hasExpired ? `${name} deleted.` : `${name} deleted. Requests using it are now rejected.`;
    notifyDone(message, enabledSubject(id));
    await forgetApiKey(id);
  };
  return (
    <ConfirmModal
      isOpen={isOpen}
      onClose={onClose}
      title="Delete key"
      actionLabel="Delete key"
      nameToType={hasExpired ? undefined : name}
      action={() => ignoreNotFound(api.DELETE('/api-keys/{id}', { params: { path: { id } } }))}
      onDone={() => void finish()}
    >
      <Text size="sm">{describeEffect(apiKey, hasExpired)} You can&apos;t undo the deletion.</Text>
      <RecentUse id={id} />
    </ConfirmModal>
  );
}

function describeEffect({ enabled }: ListedApiKey, hasExpired: boolean): string {
  if (hasExpired) return 'This key has expired.';
  if (enabled === false) return 'This key is disabled, so requests using it are already rejected.';
  return 'Anything using this key will stop working immediately.';
}

function RecentUse({ id }: { id: string }) {
  const { data, isPending } = useQuery(apiKeyQuery(id));
  const mayGetUsage = usePermission('get-usage');
  const lastDay = useQuery({ ...lastDayQuery(id), enabled: mayGetUsage });
  if (isPending || lastDay.isLoading) return <Skeleton height={20} />;
  if (data === undefined) return null;
  if (data.lastUsedAt === undefined) return <Text size="sm">This key has never been used.</Text>;
  return (
    <Text size="sm">
      Last used <Time at={data.lastUsedAt} />
      {lastDay.data !== undefined && `, with ${lastDay.data} in the last 24 hours`}.
    </Text>
  );
}
