import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { publicApi } from '../../../api/public-api.js';
import { unwrap } from '../../../api/service-error.js';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';

interface SingleSignOnButtonProps {
  token: string;
  /** Name of the identity provider. */
  name: string;
  isOnlyWay: boolean;
}

/** Accepts by signing in at the identity provider, which leads back here or into the organization. */
export function SingleSignOnButton({ token, name, isOnlyWay }: SingleSignOnButtonProps) {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => unwrap(publicApi.POST('/auth/oidc/start-invitation', { body: { token } })),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  return (
    <Stack>
      {error !== null && <ErrorAlert error={error} />}
      <Button variant={isOnlyWay ? 'filled' : 'default'} loading={isPending || isSuccess} onClick={() => mutate()}>
        Continue with {name}
      </Button>
    </Stack>
  );
}
