import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { PageHeader } from '../../ui/PageHeader.js';
import { signInMethodsQuery } from '../../session/sign-in-methods.js';
import { ChangePasswordForm } from './ChangePasswordForm.js';
import { MailPreferences } from './MailPreferences.js';
import { ProfileForm } from './ProfileForm.js';
import { Sessions } from './Sessions.js';

/** The user's name, email, password, mail and sessions. */
export function AccountPage() {
  const methods = useQuery(signInMethodsQuery);
  return (
    <>
      <PageHeader title="Your account" description="Your account is the same in all your organizations." />
      <Stack gap="lg">
        <ProfileForm />
        {methods.data?.password === true && <ChangePasswordForm />}
        {methods.data?.mail === true && <MailPreferences />}
        <Sessions />
      </Stack>
    </>
  );
}
