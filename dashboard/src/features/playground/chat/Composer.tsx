import { Button, Group, Text, Textarea } from '@mantine/core';
import { IconPlayerStopFilled, IconSend2 } from '@tabler/icons-react';
import type { KeyboardEvent, RefObject } from 'react';
import { useKeptDraft, maxMessageLength } from './settings.js';

interface ComposerProps {
  field: RefObject<HTMLTextAreaElement | null>;
  label: string;
  isDisabled: boolean;
  isStreaming: boolean;
  onSend: (message: string) => void;
  onStop: () => void;
  /** Starts a new conversation. Undefined until the current one has a message. */
  onReset: (() => void) | undefined;
}

/** Writes and sends messages. The field keeps the focus, and gets it back from buttons that are gone. */
export function Composer({ field, label, isDisabled, isStreaming, onSend, onStop, onReset }: ComposerProps) {
  const [draft, keptDraft] = useKeptDraft();
  const focusField = () => field.current?.focus();
  const send = () => {
    if (isStreaming || draft.trim() === '') return;
    onSend(draft.trim());
    keptDraft.set('');
  };
  const sendOnEnter = (event: KeyboardEvent) => {
    // While text is composed, as in Japanese, Enter chooses a candidate.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <div>
      <Textarea
        ref={field}
        label={label}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={maxMessageLength}
        disabled={isDisabled}
        value={draft}
        onChange={({ currentTarget }) => keptDraft.set(currentTarget.value)}
        onKeyDown={sendOnEnter}
      />
      <Group justify="space-between" mt="xs" gap="xs">
        <Text size="xs" c="dimmed" visibleFrom="sm">
          Enter sends, Shift+Enter starts a new line
        </Text>
        <Group gap="xs" ml="auto">
          {onReset !== undefined && (
            <Button
              variant="default"
              onClick={() => {
                onReset();
                focusField();
              }}
            >
              New chat
            </Button>
          )}
          {isStreaming ? (
            <Button
              key="stop"
              variant="default"
              leftSection={<IconPlayerStopFilled size={16} aria-hidden />}
              onClick={() => {
                onStop();
                focusField();
              }}
            >
              Stop
            </Button>
          ) : (
            <Button
              key="send"
              disabled={isDisabled}
              leftSection={<IconSend2 size={16} aria-hidden />}
              onClick={() => {
                send();
                focusField();
              }}
            >
              Send
            </Button>
          )}
        </Group>
      </Group>
    </div>
  );
}
