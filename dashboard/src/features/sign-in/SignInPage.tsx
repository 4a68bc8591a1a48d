import { Alert, Text } from '@mantine/core';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { CenteredCard } from '../../layout/CenteredCard.js';
import { explainSignInError } from './sign-in-errors.js';
import { SignInForm } from './SignInForm.js';

const route = getRouteApi('/sign-in');

/** Signs in, then returns to the requested page. */
export function SignInPage() {
  const { returnTo, error } = route.useSearch();
  const router = useRouter();
  const explanation = explainSignInError(error);
  return (
    <CenteredCard title="Sign in">
      {explanation !== undefined && (
        <Alert color="red" mb="md" role="alert">
          {explanation}
        </Alert>
      )}
      <SignInForm returnTo={returnTo} onSignedIn={() => router.history.push(returnTo)} />
      <Text size="xs" c="dimmed" mt="lg">
        On a new installation, find the administrator's email and password in the server's terminal.
      </Text>
    </CenteredCard>
  );
}
