import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { publicApi } from '../../../api/public-api.js';
import { unwrap } from '../../../api/service-error.js';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';

interface SingleSignOnButtonProps {
  token: string;
  /** Name of the identity provider. */
  name: string;
  isOnlyOption: boolean;
}

/** Accepts the invitation by signing in with the identity provider. */
export function SingleSignOnButton({ token, name, isOnlyOption }: SingleSignOnButtonProps) {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => unwrap(publicApi.POST('/auth/oidc/start-invitation', { body: { token } })),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  return (
    <Stack>
      {error !== null && <ErrorAlert error={error} />}
      <Button variant={isOnlyOption ? 'filled' : 'default'} loading={isPending || isSuccess} onClick={() => mutate()}>
        Continue with {name}
      </Button>
    </Stack>
  );
}
