import { Code, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ClientCredentials } from '../../api/schema.js';
import { CodeSnippet } from '../../ui/CodeSnippet.js';
import { CopyButton } from '../../ui/CopyButton.js';
import { SavedConfirmation } from '../../ui/SavedConfirmation.js';
import classes from '../api-keys/new-key/NewKey.module.css';

interface NewCredentialsProps {
  credentials: ClientCredentials;
  /** Shown below the secret. */
  note?: ReactNode;
  onSaved: () => void;
}

/** Shows a new client secret once. The user can't leave before saving it. */
export function NewCredentials({ credentials: { clientId, clientSecret }, note, onSaved }: NewCredentialsProps) {
  const [isSaved, setIsSaved] = useState(false);
  const secretField = useRef<HTMLElement>(null);
  // The form that had the focus is no longer there.
  useEffect(() => secretField.current?.focus(), []);
  const command = [
    `curl ${window.location.origin}/auth/token`,
    `-u ${clientId}:${clientSecret}`,
    '-d grant_type=client_credentials',
  ].join(' \\\n  ');
  return (
    <Stack>
      <Text size="sm">Copy the client secret now. You won&apos;t see it again.</Text>
      <Code
        block
        ref={secretField}
        className={classes.key}
        tabIndex={0}
        role="region"
        aria-label="Your new client secret"
        onCopy={() => setIsSaved(true)}
      >
        {clientSecret}
      </Code>
      <Group>
        <CopyButton value={clientSecret} label="Copy client secret" onCopied={() => setIsSaved(true)} />
      </Group>
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
