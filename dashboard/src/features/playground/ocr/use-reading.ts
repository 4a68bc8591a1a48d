import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer, useRef } from 'react';
import type { WithKey } from '../key/use-playground-key.js';
import { inParallel } from './in-parallel.js';
import type { OpenDocument } from './open-document.js';
import { nextReadings, type PageReading } from './page-reading.js';
import { failsAllPages, readDocument } from './read-document.js';

interface ReadingOptions {
  model: string | undefined;
  withKey: WithKey;
}

interface PagesToRead {
  file: File;
  pages: PageReading[];
}

const mostPagesAtATime = 2;

/** Reads a document page by page, so that the text appears as it is read, and can be stopped in between. */
export function useReading({ model, withKey }: ReadingOptions) {
  const [readings, dispatch] = useReducer(nextReadings, []);
  const controller = useRef<AbortController>(undefined);
  const stop = useCallback(() => {
    controller.current?.abort();
    dispatch({ type: 'stopped' });
  }, []);
  useEffect(() => stop, [stop]);

  const readPage = async (file: File, { index, isWholeDocument }: PageReading, signal: AbortSignal) => {
    if (signal.aborted || model === undefined) return;
    const page = isWholeDocument === true ? undefined : index;
    dispatch({ type: 'started', index });
    try {
      const answer = await withKey((key) => readDocument({ key, model, file, page, signal }));
      if (!signal.aborted) dispatch({ type: 'answered', index, answer });
    } catch (reason) {
      if (signal.aborted) return;
      const error = reason instanceof Error ? reason : new Error(String(reason));
      if (failsAllPages(error)) throw error;
      dispatch({ type: 'failed', index, error });
    }
  };
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ file, pages }: PagesToRead) => {
      const { signal } = (controller.current = new AbortController());
      return inParallel(pages, mostPagesAtATime, (page) => readPage(file, page, signal));
    },
    onError: stop,
  });
  const open = ({ file, pageCount }: OpenDocument) => {
    const opened = { type: 'opened', pageCount } as const;
    dispatch(opened);
    mutate({ file, pages: nextReadings([], opened) });
  };
  return { readings, open, read: mutate, stop, isReading: isPending, error, mayRead: model !== undefined };
}
