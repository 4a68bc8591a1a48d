import { Button, Code, Group, Paper, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { usePermission } from '../../../session/me.js';
import { CopyIconButton } from '../../../ui/CopyButton.js';
import { Time } from '../../../ui/Time.js';
import { KeyForm } from './KeyForm.js';
import classes from './Key.module.css';
import { hintOfKey, keyProblemQuery, type PlaygroundKey } from './playground-key.js';

interface KeyCardProps {
  chosen: PlaygroundKey | undefined;
  rejection: string | undefined;
  /** Whether the user has selected or removed a key since the page was opened. */
  hasChanged: boolean;
  choose: (key: PlaygroundKey | undefined, reason?: string) => void;
}

/** Shows the key used by the playground, or a form to select one. */
export function KeyCard({ chosen, rejection, hasChanged, choose }: KeyCardProps) {
  return (
    <Paper withBorder p="md" mb="lg">
      {chosen === undefined ? (
        <KeyForm rejection={rejection} autoFocus={hasChanged} onChosen={choose} />
      ) : (
        <KeyInUse
          chosen={chosen}
          autoFocus={hasChanged}
          onChange={() => choose(undefined)}
          onReject={(reason) => choose(undefined, reason)}
        />
      )}
    </Paper>
  );
}

interface KeyInUseProps {
  chosen: PlaygroundKey;
  autoFocus: boolean;
  onChange: () => void;
  onReject: (reason: string) => void;
}

function KeyInUse({ chosen: { key, temporary }, autoFocus, onChange, onReject }: KeyInUseProps) {
  const { data: problem = null } = useQuery({ ...keyProblemQuery(key), enabled: usePermission('get-api-keys') });
  useEffect(() => {
    if (problem !== null) onReject(problem);
  });
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="xs" wrap="nowrap">
        <Group gap="xs" wrap="nowrap" role="status">
          <IconKey className={classes.icon} size={20} aria-hidden />
          <Text size="sm">
            Using key <Code>{hintOfKey(key)}…</Code>
            {temporary !== undefined && (
              <>
                {' '}
                (expires <Time at={temporary.expiresAt} />)
              </>
            )}
          </Text>
        </Group>
        <CopyIconButton value={key} label="Copy key" />
      </Group>
      {/* The form that had the focus is no longer there. */}
      <Button variant="default" size="xs" onClick={onChange} autoFocus={autoFocus}>
        Use another key
      </Button>
    </Group>
  );
}
