import { Button, Code, Group, Paper, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Time } from '../../../ui/Time.js';
import { KeyForm } from './KeyForm.js';
import classes from './Key.module.css';
import type { PlaygroundKey } from './playground-key.js';

const shownCharacters = 8;

interface KeyCardProps {
  chosen: PlaygroundKey | undefined;
  refusal: string | undefined;
  /** Whether there was a key before. */
  hadKey: boolean;
  choose: (key: PlaygroundKey | undefined) => void;
}

/** The key that the playground is used with, or the ways to one. */
export function KeyCard({ chosen, refusal, hadKey, choose }: KeyCardProps) {
  return (
    <Paper withBorder p="md" mb="lg">
      {chosen === undefined ? (
        <KeyForm refusal={refusal} autoFocus={hadKey} onChosen={choose} />
      ) : (
        <KeyInUse chosen={chosen} onChange={() => choose(undefined)} />
      )}
    </Paper>
  );
}

interface KeyInUseProps {
  chosen: PlaygroundKey;
  onChange: () => void;
}

function KeyInUse({ chosen: { key, expiresAt }, onChange }: KeyInUseProps) {
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="xs" wrap="nowrap" role="status">
        <IconCircleCheck className={classes.icon} size={20} color="var(--mantine-color-teal-filled)" aria-hidden />
        <Text size="sm">
          Using the key <Code>{key.slice(0, shownCharacters)}…</Code>
          {expiresAt !== undefined && (
            <>
              , which expires <Time at={expiresAt} />
            </>
          )}
        </Text>
      </Group>
      {/* What had the focus is gone. */}
      <Button variant="default" size="xs" onClick={onChange} autoFocus>
        Use another key
      </Button>
    </Group>
  );
}
