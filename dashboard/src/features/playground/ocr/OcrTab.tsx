import { Alert, Center, Loader, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ocrCommand } from '../curl.js';
import { CurlCommand } from '../CurlCommand.js';
import type { WithKey } from '../key/use-playground-key.js';
import { ModelSelect } from '../ModelSelect.js';
import { useModelChoice } from '../use-model-choice.js';
import { DocumentDrop } from './DocumentDrop.js';
import { DocumentReading } from './DocumentReading.js';
import { type OpenDocument, openDocument } from './open-document.js';
import { useReading } from './use-reading.js';

interface OcrTabProps {
  /** `undefined` until a key is chosen. */
  models: string[] | undefined;
  withKey: WithKey;
}

/** Until a document is chosen. */
const someFile = { name: 'invoice.pdf', type: 'application/pdf' };

/** Reads a document and shows it beside its text. */
export function OcrTab({ models, withKey }: OcrTabProps) {
  const { model, choose: chooseModel } = useModelChoice(models);
  const [document, setDocument] = useState<OpenDocument>();
  const [hadDocument, setHadDocument] = useState(false);
  useEffect(() => () => document?.close(), [document]);
  const reading = useReading({ model, withKey });
  const { mutate: choose, isPending: isOpening } = useMutation({
    mutationFn: openDocument,
    onSuccess: (opened) => {
      setDocument(opened);
      reading.open(opened);
    },
  });
  const close = () => {
    reading.stop();
    setDocument(undefined);
    setHadDocument(true);
  };
  if (models?.length === 0) return <Alert color="gray">No model for OCR is served here.</Alert>;
  const file = document?.file ?? someFile;
  return (
    <Stack gap="xl">
      <ModelSelect models={models ?? []} value={model} onChange={chooseModel} />
      {document !== undefined && <DocumentReading document={document} reading={reading} onClose={close} />}
      {document === undefined && isOpening && (
        <Center mih={240}>
          <Loader aria-label="Opening the document" />
        </Center>
      )}
      {document === undefined && !isOpening && (
        <DocumentDrop isDisabled={model === undefined} autoFocus={hadDocument} onChosen={choose} />
      )}
      {model !== undefined && <CurlCommand command={ocrCommand({ origin: window.location.origin, model, file })} />}
    </Stack>
  );
}
