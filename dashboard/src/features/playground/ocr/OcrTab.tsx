import { Alert, Center, Loader, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ocrCommand } from '../curl.js';
import { CurlCommand } from '../CurlCommand.js';
import type { WithKey } from '../key/use-playground-key.js';
import { ModelSelect } from '../ModelSelect.js';
import { useModelChoice } from '../use-model-choice.js';
import { DocumentDropzone } from './DocumentDropzone.js';
import { DocumentResult } from './DocumentResult.js';
import { type OpenDocument, openDocument } from './open-document.js';
import { useOcr } from './use-ocr.js';

interface OcrTabProps {
  /** `undefined` until a key is selected. */
  models: string[] | undefined;
  withKey: WithKey;
}

/** Shown in the curl command until a document is selected. */
const placeholderFile = { name: 'invoice.pdf', type: 'application/pdf' };

/** Reads a document and shows it next to its text. */
export function OcrTab({ models, withKey }: OcrTabProps) {
  const { model, choose: chooseModel } = useModelChoice(models);
  const [document, setDocument] = useState<OpenDocument>();
  const [hadDocument, setHadDocument] = useState(false);
  useEffect(() => () => document?.close(), [document]);
  const ocr = useOcr({ model, withKey });
  const { mutate: choose, isPending: isOpening } = useMutation({
    mutationFn: openDocument,
    onSuccess: (opened) => {
      setDocument(opened);
      ocr.open(opened);
    },
  });
  const close = () => {
    ocr.stop();
    setDocument(undefined);
    setHadDocument(true);
  };
  if (models?.length === 0) return <Alert color="gray">No OCR model is available.</Alert>;
  const file = document?.file ?? placeholderFile;
  return (
    <Stack gap="xl">
      <ModelSelect models={models ?? []} value={model} onChange={chooseModel} />
      {document !== undefined && <DocumentResult document={document} ocr={ocr} onClose={close} />}
      {document === undefined && isOpening && (
        <Center mih={240}>
          <Loader aria-label="Opening document" />
        </Center>
      )}
      {document === undefined && !isOpening && (
        <DocumentDropzone isDisabled={model === undefined} autoFocus={hadDocument} onChosen={choose} />
      )}
      {model !== undefined && <CurlCommand command={ocrCommand({ origin: window.location.origin, model, file })} />}
    </Stack>
  );
}
