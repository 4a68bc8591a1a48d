import { findEntries } from './operations.js';

const entry = (title: string, summary = '') => ({ title, summary, link: `#${title}` });
const entries = [
  entry('Errors'),
  entry('GET /audit-events', 'List audit events, such as created keys'),
  entry('POST /api-keys', 'Create an API key'),
];

describe('findEntries', () => {
  const titles = (text: string) => findEntries(entries, text).map(({ title }) => title);

  it('should find entries with all words, in any order and case, and titles first', () => {
    expect(titles('keys')).toEqual(['POST /api-keys', 'GET /audit-events']);
    expect(titles('KEY create')).toEqual(['GET /audit-events', 'POST /api-keys']);
    expect(titles('post keys')).toEqual(['POST /api-keys']);
    expect(titles('error')).toEqual(['Errors']);
    expect(titles('nothing')).toEqual([]);
  });

  it('should find nothing without words', () => {
    expect(titles('  ')).toEqual([]);
  });
});
