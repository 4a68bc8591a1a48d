import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import classes from './ConfirmModal.module.css';
import { ErrorAlert } from './ErrorAlert.js';
import { useOnce } from '../hooks/use-once.js';

interface ConfirmModalProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** What will happen. */
  children: ReactNode;
  /** What the button says, such as "Delete key". */
  actionLabel: string;
  /** Has to be typed before the button works, for what cannot be undone. */
  nameToType?: string;
  action: () => Promise<unknown>;
  onDone: () => void;
}

/** Asks before something that cannot be undone. It is done once, however often the button is pressed. */
export function ConfirmModal({ isOpen, onClose, title, ...content }: ConfirmModalProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} centered>
      <Confirmation onClose={onClose} {...content} />
    </Modal>
  );
}

function Confirmation(props: Omit<ConfirmModalProps, 'isOpen' | 'title'>) {
  const { onClose, children, actionLabel, nameToType, action, onDone } = props;
  const [typed, setTyped] = useState('');
  const once = useOnce();
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: action,
    onSuccess: onDone,
    onError: once.allowAgain,
  });
  const isConfirmed = nameToType === undefined || typed.trim() === nameToType;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isConfirmed) once.run(() => mutate());
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        {nameToType !== undefined && (
          <TextInput
            label={
              <>
                Type {/* As it is: two spaces shown as one could not be typed right. */}
                <Text span fw={700} inherit className={classes.name}>
                  {nameToType}
                </Text>{' '}
                to confirm
              </>
            }
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        {error !== null && <ErrorAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color="red.9" disabled={!isConfirmed} loading={isPending || isSuccess}>
            {actionLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
