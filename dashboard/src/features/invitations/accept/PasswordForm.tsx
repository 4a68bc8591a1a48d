import { Anchor, Text } from '@mantine/core';
import { useState } from 'react';
import { ExistingAccountForm } from './ExistingAccountForm.js';
import { NewAccountForm } from './NewAccountForm.js';

interface PasswordFormProps {
  token: string;
  email: string;
  /** Known only to the person who is signed in to the account. */
  hasAccount: boolean | undefined;
}

/** Creates an account or joins with an existing one, as the person chooses: the service doesn't reveal which it is. */
export function PasswordForm({ token, email, hasAccount = false }: PasswordFormProps) {
  const [isExisting, setIsExisting] = useState(hasAccount);
  const Form = isExisting ? ExistingAccountForm : NewAccountForm;
  return (
    <>
      {/* Above the form: an error that appears when a field loses focus must not move it away from the pointer. */}
      {!hasAccount && (
        <Text size="sm">
          {isExisting ? 'No account yet?' : 'Already have an account?'}{' '}
          <Anchor component="button" type="button" underline="always" onClick={() => setIsExisting(!isExisting)}>
            {isExisting ? 'Create one' : 'Use its password'}
          </Anchor>
        </Text>
      )}
      <Form token={token} email={email} />
    </>
  );
}
