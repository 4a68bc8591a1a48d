import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAlertCircle, IconFileUpload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useDropzone } from 'react-dropzone';
import { maxDocumentBytes } from '@rules/document-limits.js';
import { notifyFailed } from '../../../lib/notify.js';
import classes from './DocumentDropzone.module.css';
import { explainRejection, unknownType } from './explain-rejection.js';
import { exampleName, exampleUrl } from './example.js';

interface DocumentDropzoneProps {
  isDisabled: boolean;
  autoFocus: boolean;
  onChosen: (file: File) => void;
}

const types = ['application/pdf', 'image/png', 'image/jpeg', 'image/webp', 'image/tiff', 'image/gif'];

/**
 * Accepts a dropped or selected document, or an example. The service decides if it can read documents whose type the browser
 * doesn't know.
 */
export function DocumentDropzone({ isDisabled, autoFocus, onChosen }: DocumentDropzoneProps) {
  const [problem, setProblem] = useState<string>();
  const isTouchScreen = useMediaQuery('(pointer: coarse)');
  const { getRootProps, getInputProps, isDragActive } = useDropzone({
    disabled: isDisabled,
    multiple: false,
    maxSize: maxDocumentBytes,
    validator: ({ type }) => (type === '' || types.includes(type) ? null : unknownType),
    // The buttons inside are focusable.
    noKeyboard: true,
    onDropAccepted: ([file]) => file !== undefined && onChosen(file),
    onDropRejected: (rejections) => setProblem(explainRejection(rejections)),
  });
  return (
    <Stack>
      <div {...getRootProps({ className: classes.area, 'data-active': isDragActive || undefined })}>
        <input {...getInputProps({ accept: types.join() })} aria-label="Document" />
        <IconFileUpload size={32} stroke={1.5} aria-hidden />
        <Text fw={500}>{isTouchScreen ? 'Choose an image or a PDF' : 'Drop an image or a PDF here'}</Text>
        <Text size="sm" c="dimmed">
          PNG, JPEG, WebP, TIFF, GIF or PDF, up to 50&nbsp;MB
        </Text>
        <Group justify="center" gap="sm" mt="xs">
          {/* The click bubbles to the drop area, which opens the file dialog. */}
          <Button disabled={isDisabled} autoFocus={autoFocus}>
            Choose file
          </Button>
          <ExampleButton isDisabled={isDisabled} onChosen={onChosen} />
        </Group>
        {isDisabled && (
          <Text size="sm" c="dimmed">
            Enter a key first.
          </Text>
        )}
      </div>
      {problem !== undefined && (
        <Alert color="red" icon={<IconAlertCircle />} role="alert">
          {problem}
        </Alert>
      )}
    </Stack>
  );
}

function ExampleButton({ isDisabled, onChosen }: Omit<DocumentDropzoneProps, 'autoFocus'>) {
  const { mutate, isPending } = useMutation({
    mutationFn: loadExample,
    onSuccess: onChosen,
    onError: () => notifyFailed("Couldn't load the example. Try again in a moment."),
  });
  return (
    <Button
      variant="default"
      disabled={isDisabled}
      loading={isPending}
      onClick={(event) => {
        event.stopPropagation();
        mutate();
      }}
    >
      Try an example
    </Button>
  );
}

async function loadExample(): Promise<File> {
  const response = await fetch(exampleUrl);
  if (!response.ok) throw new Error(`Loading the example failed with status ${response.status}.`);
  const content = await response.blob();
  return new File([content], exampleName, { type: content.type });
}
