interface ReadState {
  status: 'read';
  text: string;
  /** 0 to 1; `undefined` if unknown or without text. */
  confidence: number | undefined;
  /** Why someone should check the text. */
  warning: string | undefined;
}

/** OCR state of a page. */
export type PageState = {
  /** Starts at 0. */
  index: number;
  /** Set if this stands for the whole document, because only the service knows its number of pages. */
  isWholeDocument?: boolean;
} & ({ status: 'waiting' | 'reading' } | ReadState | { status: 'failed'; error: Error });

/** A page of the response. */
export interface PageResult {
  index: number;
  markdown: string;
  /** Keycard extensions, which upstream models don't return. */
  confidence?: number | null;
  warning?: { message: string } | null;
  error?: { message: string };
}

/** What happens to the pages of a document. */
export type OcrEvent =
  | { type: 'opened'; pageCount: number | undefined }
  | { type: 'stopped' }
  | { type: 'started'; index: number }
  | { type: 'finished'; index: number; results: PageResult[] }
  | { type: 'failed'; index: number; error: Error };

/** Reducer for the pages of a document. */
export function reducePages(pages: PageState[], event: OcrEvent): PageState[] {
  if (event.type === 'opened') return waitingPages(event.pageCount);
  if (event.type === 'stopped') return pages.map(stopReading);
  return pages.flatMap((page) => (page.index === event.index ? reducePage(page, event) : [page]));
}

/** Returns the pages that still have to be read, including failed ones. */
export function findUnread(pages: PageState[]): PageState[] {
  return pages.filter(({ status }) => status !== 'read');
}

function waitingPages(pageCount: number | undefined): PageState[] {
  if (pageCount === undefined) return [{ index: 0, isWholeDocument: true, status: 'waiting' }];
  return Array.from({ length: pageCount }, (_, index) => ({ index, status: 'waiting' }));
}

function stopReading(page: PageState): PageState {
  return page.status === 'reading' ? { ...page, status: 'waiting' } : page;
}

function reducePage(
  { index, isWholeDocument }: PageState,
  event: Exclude<OcrEvent, { type: 'opened' | 'stopped' }>,
): PageState[] {
  switch (event.type) {
    case 'started':
      return [{ index, isWholeDocument, status: 'reading' }];
    case 'failed':
      return [{ index, isWholeDocument, status: 'failed', error: event.error }];
    case 'finished':
      return event.results.map(toPageState);
  }
}

function toPageState({ index, markdown, confidence, warning, error }: PageResult): PageState {
  if (error !== undefined) return { index, status: 'failed', error: new Error(error.message) };
  return { index, status: 'read', text: markdown, confidence: confidence ?? undefined, warning: warning?.message };
}
