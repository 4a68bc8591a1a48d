import fc from 'fast-check';
import { EventSplitter, EventTooLargeError } from './event-splitter.js';

const event = fc
  .tuple(
    fc.array(fc.constantFrom('data: a', 'event: b', ': c', 'data: \r', 'x'), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([lines, end]) => [...lines, ''].map((line) => line + end).join(''));

describe('EventSplitter', () => {
  it('should return each event once, whole and in order, however the stream is cut', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), sizes, (events, pieces) => {
        const splitter = new EventSplitter(1000);
        const bytes = Buffer.from(events.join(''));
        const found: string[] = [];
        for (let at = 0, piece = 0; at < bytes.length; piece++) {
          const size = pieces[piece % pieces.length] ?? 1;
          found.push(...splitter.push(bytes.subarray(at, at + size)).map(String));
          at += size;
        }
        expect(found).toEqual(events);
        expect(splitter.end()).toHaveLength(0);
      }),
    );
  });

  it('should return what follows the last event at the end', () => {
    const splitter = new EventSplitter(1000);
    expect(splitter.push(Buffer.from('data: a\n\ndata: [DONE]\n')).map(String)).toEqual(['data: a\n\n']);
    expect(splitter.end().toString()).toBe('data: [DONE]\n');
  });

  it('should reject an event that is too large before it is complete', () => {
    const splitter = new EventSplitter(10);
    splitter.push(Buffer.from('data: 1\n'));
    expect(() => splitter.push(Buffer.from('data: 2\n'))).toThrow(EventTooLargeError);
  });
});
