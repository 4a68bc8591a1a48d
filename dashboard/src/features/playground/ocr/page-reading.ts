/** How far a page has come. */
export type PageReading = {
  /** Its place in the document, from 0. */
  index: number;
  /** Stands for the whole document, whose number of pages only the service can tell. */
  isWholeDocument?: boolean;
} & ({ status: 'waiting' | 'reading' } | { status: 'read'; text: string } | { status: 'failed'; error: Error });

/** What the service says of a page. */
interface AnsweredPage {
  index: number;
  markdown: string;
  error?: { message: string };
}

type ReadingEvent =
  | { type: 'opened'; pageCount: number | undefined }
  | { type: 'stopped' }
  | { type: 'started'; index: number }
  | { type: 'answered'; index: number; answer: AnsweredPage[] }
  | { type: 'failed'; index: number; error: Error };

/** The pages after something has happened. */
export function nextReadings(readings: PageReading[], event: ReadingEvent): PageReading[] {
  if (event.type === 'opened') return unreadPages(event.pageCount);
  if (event.type === 'stopped') return readings.map(stopReading);
  return readings.flatMap((reading) => (reading.index === event.index ? nextReading(reading, event) : [reading]));
}

/** The pages that have not been read so far. */
export function findUnread(readings: PageReading[]): PageReading[] {
  return readings.filter(({ status }) => status !== 'read');
}

function unreadPages(pageCount: number | undefined): PageReading[] {
  if (pageCount === undefined) return [{ index: 0, isWholeDocument: true, status: 'waiting' }];
  return Array.from({ length: pageCount }, (_, index) => ({ index, status: 'waiting' }));
}

function stopReading(reading: PageReading): PageReading {
  return reading.status === 'reading' ? { ...reading, status: 'waiting' } : reading;
}

function nextReading(
  { index, isWholeDocument }: PageReading,
  event: Exclude<ReadingEvent, { type: 'opened' | 'stopped' }>,
): PageReading[] {
  switch (event.type) {
    case 'started':
      return [{ index, isWholeDocument, status: 'reading' }];
    case 'failed':
      return [{ index, isWholeDocument, status: 'failed', error: event.error }];
    case 'answered':
      return event.answer.map(toReading);
  }
}

function toReading({ index, markdown, error }: AnsweredPage): PageReading {
  if (error !== undefined) return { index, status: 'failed', error: new Error(error.message) };
  return { index, status: 'read', text: markdown };
}
