import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { notifyDone } from '../../../lib/notify.js';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';
import { isCurrentKnown, isOnlyPreviousKnown } from '../known-secrets.js';
import { revokePreviousSecrets } from './bulk-request.js';
import { describeKnownKeys, describeOnlyPreviousKnown, describeRevoked } from './describe-rotation.js';

interface KnownSecretsWarningProps {
  /** With who knows their secrets. */
  keys: readonly ListedApiKey[];
  onLeaveOut: (keys: readonly ListedApiKey[]) => void;
}

/**
 * Warns if former members know secrets of the keys. For keys that were rotated since, it offers to revoke the previous
 * secret instead of rotating them again.
 */
export function KnownSecretsWarning({ keys, onLeaveOut }: KnownSecretsWarningProps) {
  const currentCount = keys.filter(isCurrentKnown).length;
  const rotated = keys.filter(isOnlyPreviousKnown);
  if (currentCount === 0 && rotated.length === 0) return null;
  return (
    <Alert variant="light" color="orange" icon={<IconAlertTriangle />} role="status">
      <Stack gap="sm">
        {currentCount > 0 && <Text size="sm">{describeKnownKeys(currentCount, keys.length)}</Text>}
        {rotated.length > 0 && (
          <RotatedBefore rotated={rotated} areAll={rotated.length === keys.length} onLeaveOut={onLeaveOut} />
        )}
      </Stack>
    </Alert>
  );
}

interface RotatedBeforeProps extends Pick<KnownSecretsWarningProps, 'onLeaveOut'> {
  /** Former members know only the previous secrets of these keys. */
  rotated: readonly ListedApiKey[];
  /** Whether the dialog has no other keys. */
  areAll: boolean;
}

function RotatedBefore({ rotated, areAll, onLeaveOut }: RotatedBeforeProps) {
  const actions = useRef<HTMLDivElement>(null);
  const leaveOut = () => {
    // The buttons are about to disappear.
    if (!areAll) actions.current?.closest('form')?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    onLeaveOut(rotated);
  };
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => revokePreviousSecrets(rotated),
    onSuccess: () => {
      leaveOut();
      notifyDone(describeRevoked(rotated.map(({ name }) => name)));
    },
  });
  const secrets = rotated.length === 1 ? 'the previous secret' : 'the previous secrets';
  return (
    <>
      <Text size="sm">{describeOnlyPreviousKnown(rotated.map(({ name }) => name))}</Text>
      {error !== null && <ErrorAlert error={error} />}
      <Group gap="xs" ref={actions}>
        <Button size="xs" variant="default" loading={isPending} onClick={() => mutate()}>
          Revoke {secrets} instead
        </Button>
        {!areAll && (
          <Button size="xs" variant="default" disabled={isPending} onClick={leaveOut}>
            Don&apos;t rotate {rotated.length === 1 ? 'this key' : 'these keys'}
          </Button>
        )}
      </Group>
    </>
  );
}
