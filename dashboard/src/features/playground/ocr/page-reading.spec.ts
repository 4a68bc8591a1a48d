import { findUnread, nextReadings, type PageReading } from './page-reading.js';

const pages = (...statuses: ('waiting' | 'reading')[]): PageReading[] =>
  statuses.map((status, index) => ({ index, status }));

describe('nextReadings', () => {
  it('should begin with each page of the document waiting', () => {
    expect(nextReadings(pages('reading'), { type: 'opened', pageCount: 2 })).toEqual(pages('waiting', 'waiting'));
  });

  it('should take a document whose pages are not known as a whole', () => {
    const [page] = nextReadings([], { type: 'opened', pageCount: undefined });
    expect(page).toMatchObject({ index: 0, isWholeDocument: true });
  });

  it('should move the page that it is about, and no other', () => {
    const started = nextReadings(pages('waiting', 'waiting'), { type: 'started', index: 1 });
    expect(started).toEqual(pages('waiting', 'reading'));
  });

  it('should let pages wait again when reading stops', () => {
    const read: PageReading = { index: 2, status: 'read', text: '' };
    const stopped = nextReadings([...pages('waiting', 'reading'), read], { type: 'stopped' });
    expect(stopped).toEqual([...pages('waiting', 'waiting'), read]);
  });

  it('should keep the text of a page', () => {
    const answer = [{ index: 1, markdown: 'Page two' }];
    const readings = nextReadings(pages('waiting', 'reading'), { type: 'answered', index: 1, answer });
    expect(readings[1]).toEqual({ index: 1, status: 'read', text: 'Page two' });
  });

  it('should show each page that a whole document turns out to have', () => {
    const answer = [
      { index: 0, markdown: 'One' },
      { index: 1, markdown: '', error: { message: 'Page 2 took too long.' } },
    ];
    const whole = nextReadings([], { type: 'opened', pageCount: undefined });
    expect(nextReadings(whole, { type: 'answered', index: 0, answer })).toEqual([
      { index: 0, status: 'read', text: 'One' },
      { index: 1, status: 'failed', error: new Error('Page 2 took too long.') },
    ]);
  });
});

describe('findUnread', () => {
  it('should find what waits and what has failed', () => {
    const failed = { index: 1, status: 'failed', error: new Error('a reason') } as const;
    const readings: PageReading[] = [{ index: 0, status: 'read', text: '' }, failed, { index: 2, status: 'waiting' }];
    expect(findUnread(readings).map(({ index }) => index)).toEqual([1, 2]);
  });
});
