import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { createKeptState } from '../../../hooks/kept-state.js';
import type { WithKey } from '../key/use-playground-key.js';
import type { OpenDocument } from './open-document.js';
import { type OcrEvent, type PageState, reducePages } from './page-state.js';
import { failsAllPages, readDocument } from './read-document.js';
import { runConcurrently } from '../../../lib/run-concurrently.js';

interface OcrOptions {
  model: string | undefined;
  withKey: WithKey;
}

interface PagesToRead {
  file: File;
  pages: PageState[];
}

const concurrentPages = 2;

const useKeptPages = createKeptState<PageState[]>([]);

/** Reads a document page by page, to show progress and to be able to stop. */
export function useOcr({ model, withKey }: OcrOptions) {
  const [pages, keptPages] = useKeptPages();
  const dispatch = useCallback((event: OcrEvent) => keptPages.set(reducePages(keptPages.get(), event)), [keptPages]);
  const controller = useRef<AbortController>(undefined);
  const stop = useCallback(() => {
    controller.current?.abort();
    dispatch({ type: 'stopped' });
  }, [dispatch]);
  useEffect(() => stop, [stop]);

  const readPage = async (file: File, { index, isWholeDocument }: PageState, signal: AbortSignal) => {
    if (signal.aborted || model === undefined) return;
    const page = isWholeDocument === true ? undefined : index;
    dispatch({ type: 'started', index });
    try {
      const results = await withKey((key) => readDocument({ key, model, file, page, signal }));
      if (!signal.aborted) dispatch({ type: 'finished', index, results });
    } catch (reason) {
      if (signal.aborted) return;
      const error = reason instanceof Error ? reason : new Error(String(reason));
      if (failsAllPages(error)) throw error;
      dispatch({ type: 'failed', index, error });
    }
  };
  const { mutate, isPending, error } = useMutation({
    mutationFn: (request: PagesToRead) => {
      const { signal } = (controller.current = new AbortController());
      return runConcurrently(request.pages, concurrentPages, (page) => readPage(request.file, page, signal));
    },
    onError: stop,
  });
  const open = ({ file, pageCount }: OpenDocument) => {
    const opened = { type: 'opened', pageCount } as const;
    dispatch(opened);
    mutate({ file, pages: reducePages([], opened) });
  };
  return { pages, open, read: mutate, stop, isReading: isPending, error, mayRead: model !== undefined };
}
