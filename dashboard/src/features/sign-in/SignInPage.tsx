import { Alert, Anchor, Code, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { CenteredCard } from '../../ui/CenteredCard.js';
import { explainSignInError } from '../../session/sign-in-errors.js';
import { SignInForm } from './SignInForm.js';
import { signInMethodsQuery } from '../../session/sign-in-methods.js';

const route = getRouteApi('/sign-in');

/** Signs in, then returns to the requested page. */
export function SignInPage() {
  const { returnTo, error } = route.useSearch();
  const router = useRouter();
  const { data: methods } = useQuery(signInMethodsQuery);
  const explanation = explainSignInError(error);
  return (
    <CenteredCard title="Sign in">
      {explanation !== undefined && (
        <Alert color="red" mb="md" role="alert">
          {explanation}
        </Alert>
      )}
      <SignInForm returnTo={returnTo} onSignedIn={() => router.history.push(returnTo)} />
      {methods?.password === true && (
        <Stack gap={6} mt="lg" fz="xs" c="dimmed">
          {methods.passwordReset ? (
            <Anchor inherit underline="always" renderRoot={(props) => <Link to="/reset-password" {...props} />}>
              Forgot your password?
            </Anchor>
          ) : (
            <>
              <Text inherit>
                Forgot your password? Ask the operator of this server for a reset link, which this command creates:
              </Text>
              <Code block fz="inherit">
                npm run admin -- reset-password EMAIL
              </Code>
            </>
          )}
          <Text inherit>
            If you&apos;ve just installed Keycard, the server&apos;s terminal shows how to sign in for the first time.
          </Text>
        </Stack>
      )}
    </CenteredCard>
  );
}
