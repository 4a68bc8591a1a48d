import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { nameLength } from '@rules/text-rules.js';
import classes from './ConfirmModal.module.css';
import { fieldLength, isTypedName } from '../lib/text-rules.js';
import { ErrorAlert } from './ErrorAlert.js';
import { usePendingFocus } from '../hooks/use-pending-focus.js';
import { useSubmitLock } from '../hooks/use-submit-lock.js';

interface ConfirmModalProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** Describes the consequences. */
  children: ReactNode;
  /** The text of the confirm button, such as "Delete key". */
  actionLabel: string;
  /** Text that the user must type to enable the button, for irreversible actions. */
  nameToType?: string;
  /** Colors the button red; on by default. */
  isDestructive?: boolean;
  action: () => Promise<unknown>;
  onDone: () => void;
}

/** Asks for confirmation before an action, and runs it once. */
export function ConfirmModal({ isOpen, onClose, title, ...content }: ConfirmModalProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} centered>
      <Confirmation onClose={onClose} {...content} />
    </Modal>
  );
}

function Confirmation(props: Omit<ConfirmModalProps, 'isOpen' | 'title'>) {
  const { onClose, children, actionLabel, nameToType, isDestructive = true, action, onDone } = props;
  const [typed, setTyped] = useState('');
  const lock = useSubmitLock();
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: action,
    onSuccess: onDone,
    onError: lock.release,
  });
  const keepFocus = usePendingFocus(isPending || isSuccess);
  const isConfirmed = nameToType === undefined || isTypedName(typed, nameToType);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isConfirmed) return;
    lock.run(() => {
      keepFocus();
      mutate();
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        {nameToType !== undefined && (
          <TextInput
            label={
              <>
                Type {/* The style preserves repeated spaces, which must be typed exactly. */}
                <Text span fw={700} inherit className={classes.name}>
                  {nameToType}
                </Text>{' '}
                to confirm
              </>
            }
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={fieldLength(nameLength.max)}
            data-autofocus
          />
        )}
        {error !== null && <ErrorAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus={nameToType === undefined || undefined}>
            Cancel
          </Button>
          <Button
            type="submit"
            color={isDestructive ? 'red.9' : undefined}
            disabled={!isConfirmed}
            loading={isPending || isSuccess}
          >
            {actionLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
