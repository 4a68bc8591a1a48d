import { findUnread, type PageState, reducePages } from './page-state.js';

const pages = (...statuses: ('waiting' | 'reading')[]): PageState[] =>
  statuses.map((status, index) => ({ index, status }));

describe('reducePages', () => {
  it('should start with all pages waiting', () => {
    expect(reducePages(pages('reading'), { type: 'opened', pageCount: 2 })).toEqual(pages('waiting', 'waiting'));
  });

  it('should treat a document with an unknown number of pages as a whole', () => {
    const [page] = reducePages([], { type: 'opened', pageCount: undefined });
    expect(page).toMatchObject({ index: 0, isWholeDocument: true });
  });

  it('should change only the page of the event', () => {
    const started = reducePages(pages('waiting', 'waiting'), { type: 'started', index: 1 });
    expect(started).toEqual(pages('waiting', 'reading'));
  });

  it('should reset unfinished pages to waiting after a stop', () => {
    const read: PageState = { index: 2, status: 'read', text: '', confidence: undefined, warning: undefined };
    const stopped = reducePages([...pages('waiting', 'reading'), read], { type: 'stopped' });
    expect(stopped).toEqual([...pages('waiting', 'waiting'), read]);
  });

  it('should store the text of a page with its confidence and warning', () => {
    const results = [{ index: 1, markdown: 'Page two', confidence: 0.7, warning: { message: 'Check the text.' } }];
    const finished = reducePages(pages('waiting', 'reading'), { type: 'finished', index: 1, results });
    const expected = { index: 1, status: 'read', text: 'Page two', confidence: 0.7, warning: 'Check the text.' };
    expect(finished[1]).toEqual(expected);
  });

  it('should replace a whole document with the pages of the response', () => {
    const results = [
      { index: 0, markdown: 'One' },
      { index: 1, markdown: '', error: { message: 'Page 2 took too long.' } },
    ];
    const document = reducePages([], { type: 'opened', pageCount: undefined });
    expect(reducePages(document, { type: 'finished', index: 0, results })).toEqual([
      { index: 0, status: 'read', text: 'One', confidence: undefined, warning: undefined },
      { index: 1, status: 'failed', error: new Error('Page 2 took too long.') },
    ]);
  });
});

describe('findUnread', () => {
  it('should return waiting and failed pages', () => {
    const failed = { index: 1, status: 'failed', error: new Error('a reason') } as const;
    const read: PageState = { index: 0, status: 'read', text: '', confidence: undefined, warning: undefined };
    expect(findUnread([read, failed, { index: 2, status: 'waiting' }]).map(({ index }) => index)).toEqual([1, 2]);
  });
});
