import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useDropzone } from 'react-dropzone';
import { notifyFailed } from '../../../lib/notify.js';
import classes from './DocumentDrop.module.css';
import { explainRejection, largestDocumentBytes } from './explain-rejection.js';
import exampleUrl from './scanned-invoice.webp?url';

interface DocumentDropProps {
  isDisabled: boolean;
  autoFocus: boolean;
  onChosen: (file: File) => void;
}

/** Takes a document: dropped, chosen, or the example. The service decides whether it can read it. */
export function DocumentDrop({ isDisabled, autoFocus, onChosen }: DocumentDropProps) {
  const [problem, setProblem] = useState<string>();
  const { getRootProps, getInputProps, isDragActive } = useDropzone({
    disabled: isDisabled,
    multiple: false,
    maxSize: largestDocumentBytes,
    // The buttons inside are what the keyboard reaches.
    noKeyboard: true,
    onDropAccepted: ([file]) => file !== undefined && onChosen(file),
    onDropRejected: (rejections) => setProblem(explainRejection(rejections.length)),
  });
  return (
    <Stack>
      <div {...getRootProps({ className: classes.area, 'data-active': isDragActive || undefined })}>
        <input
          {...getInputProps({ accept: 'application/pdf,image/png,image/jpeg,image/webp,image/tiff,image/gif' })}
          aria-label="Document"
        />
        <IconFileUpload size={32} stroke={1.5} aria-hidden />
        <Text fw={500}>Drop an image or a PDF here</Text>
        <Text size="sm" c="dimmed">
          PNG, JPEG, WebP, TIFF, GIF or PDF, up to 50 MB
        </Text>
        <Group justify="center" gap="sm" mt="xs">
          {/* Its click reaches the area around it, which opens the dialog. */}
          <Button disabled={isDisabled} autoFocus={autoFocus}>
            Choose a file
          </Button>
          <ExampleButton isDisabled={isDisabled} onChosen={onChosen} />
        </Group>
        {isDisabled && (
          <Text size="sm" c="dimmed">
            Choose a key first.
          </Text>
        )}
      </div>
      {problem !== undefined && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
    </Stack>
  );
}

function ExampleButton({ isDisabled, onChosen }: Omit<DocumentDropProps, 'autoFocus'>) {
  const { mutate, isPending } = useMutation({
    mutationFn: loadExample,
    onSuccess: onChosen,
    onError: () => notifyFailed('The example could not be loaded. Try again in a moment.'),
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
  if (!response.ok) throw new Error('The example is not there.');
  const content = await response.blob();
  return new File([content], 'scanned-invoice.webp', { type: content.type });
}
