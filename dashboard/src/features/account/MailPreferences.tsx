import { Checkbox, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { optionalMail, optionalMailKinds, type OptionalMail } from '@rules/mail-rules.js';
import { api } from '../../api/api.js';
import { unwrap } from '../../api/service-error.js';
import { queryClient } from '../../query-client.js';
import { meQuery, useMe } from '../../session/me.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';

/** Which mail the user gets. Saved with each click. */
export function MailPreferences() {
  const { mutedMail } = useMe().user;
  const { mutate, isPending, error } = useMutation({
    mutationFn: (muted: OptionalMail[]) => unwrap(api.PATCH('/auth/me', { body: { mutedMail: muted } })),
    onSuccess: (me) => queryClient.setQueryData(meQuery.queryKey, me),
  });
  const toggle = (kind: OptionalMail) =>
    mutate(mutedMail.includes(kind) ? mutedMail.filter((muted) => muted !== kind) : [...mutedMail, kind]);
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="mail">
      <Title order={2} size="h4" mb={4} id="mail">
        Email
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        In all your organizations, if your role includes it. You always get email about security, such as leaked keys.
      </Text>
      <Stack gap="sm">
        {optionalMailKinds.map((kind) => (
          <Checkbox
            key={kind}
            label={optionalMail[kind]}
            checked={!mutedMail.includes(kind)}
            // Not disabled while pending, or it would lose the focus.
            onChange={() => {
              if (!isPending) toggle(kind);
            }}
          />
        ))}
        {error !== null && <ErrorAlert error={error} />}
      </Stack>
    </Paper>
  );
}
