import { Alert, Anchor, Center, Loader, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { createKeptState } from '../../../hooks/kept-state.js';
import { ocrCommand } from '../curl.js';
import { CurlCommand } from '../CurlCommand.js';
import type { WithKey } from '../key/use-playground-key.js';
import { ModelSelect } from '../ModelSelect.js';
import { useModelChoice } from '../use-model-choice.js';
import { DocumentDropzone } from './DocumentDropzone.js';
import { DocumentResult } from './DocumentResult.js';
import { exampleName, exampleUrl } from './example.js';
import { type OpenDocument, openDocument } from './open-document.js';
import { useOcr } from './use-ocr.js';

interface OcrTabProps {
  /** `undefined` until a key is selected. */
  models: string[] | undefined;
  withKey: WithKey;
}

/** Shown in the curl command until a document is selected. */
const placeholderFile = { name: 'invoice.pdf', type: 'application/pdf' };

const useKeptModel = createKeptState<string | undefined>(undefined);
const useKeptDocument = createKeptState<OpenDocument | undefined>(undefined);

/** Reads a document and shows it next to its text. */
export function OcrTab({ models, withKey }: OcrTabProps) {
  const { model, choose: chooseModel } = useModelChoice(models, useKeptModel());
  const [document, keptDocument] = useKeptDocument();
  const [hasChanged, setHasChanged] = useState(false);
  const ocr = useOcr({ model, withKey });
  const show = (next: OpenDocument | undefined) => {
    keptDocument.set(next);
    setHasChanged(true);
  };
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);
  const opening = useMutation({
    mutationFn: (file: File) => openDocument(file, (controller.current = new AbortController()).signal),
  });
  const choose = (file: File) =>
    opening.mutate(file, {
      // Not called if the user has left the page.
      onSuccess: (opened) => {
        show(opened);
        ocr.open(opened);
      },
    });
  const close = () => {
    ocr.stop();
    show(undefined);
    document?.close();
  };
  if (models?.length === 0) return <Alert color="gray">No OCR model is available.</Alert>;
  const file = document?.file ?? placeholderFile;
  return (
    <Stack gap="xl">
      <ModelSelect models={models ?? []} value={model} onChange={chooseModel} />
      {document !== undefined && (
        <DocumentResult document={document} ocr={ocr} autoFocus={hasChanged} onClose={close} />
      )}
      {document === undefined && opening.isPending && (
        <Center mih={240}>
          <Loader aria-label="Opening document" />
        </Center>
      )}
      {document === undefined && !opening.isPending && (
        <DocumentDropzone isDisabled={model === undefined} autoFocus={hasChanged} onChosen={choose} />
      )}
      {model !== undefined && (
        <CurlCommand command={ocrCommand({ origin: window.location.origin, model, file })}>
          {file.name === exampleName && (
            <>
              {' '}
              <Anchor inherit underline="always" href={exampleUrl} download={exampleName}>
                Download the example
              </Anchor>
            </>
          )}
        </CurlCommand>
      )}
    </Stack>
  );
}
