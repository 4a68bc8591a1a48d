import { Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ClientCredentials } from '../../api/schema.js';
import { NewSecret } from '../../common/secrets/NewSecret.js';
import { CodeSnippet } from '../../ui/CodeSnippet.js';
import { SavedConfirmation } from '../../ui/SavedConfirmation.js';

interface NewCredentialsProps {
  credentials: ClientCredentials;
  /** Shown below the secret. */
  note?: ReactNode;
  onSaved: () => void;
}

/** Shows a new client secret once. The user can't leave before saving it. */
export function NewCredentials({ credentials: { clientId, clientSecret }, note, onSaved }: NewCredentialsProps) {
  const [isSaved, setIsSaved] = useState(false);
  const command = [
    `curl ${window.location.origin}/auth/token`,
    `-u ${clientId}:${clientSecret}`,
    '-d grant_type=client_credentials',
  ].join(' \\\n  ');
  return (
    <Stack>
      <NewSecret
        secret={clientSecret}
        noun="client secret"
        instruction="Copy the client secret now."
        onCopied={() => setIsSaved(true)}
      />
      {note !== undefined && <Text size="sm">{note}</Text>}
      <Text size="sm" fw={500}>
        Client ID
      </Text>
      <CodeSnippet code={clientId} label="client ID" />
      <Text size="sm" fw={500}>
        Get an access token
      </Text>
      <CodeSnippet code={command} label="curl command" />
      <SavedConfirmation label="I've saved this secret" isSaved={isSaved} onChange={setIsSaved} onDone={onSaved} />
    </Stack>
  );
}
