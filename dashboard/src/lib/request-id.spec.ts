import { readRequestId } from './request-id.js';

describe('readRequestId', () => {
  it.each([
    ['a UUID', ' 0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f\n', '0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f'],
    ['a UUID without hyphens', '0B5B1F4C5A0E4C539A550E5A1C2E8A4F', '0B5B1F4C5A0E4C539A550E5A1C2E8A4F'],
    ['the ID of a response', 'embd-0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f', '0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f'],
    ['a header', 'x-request-id: 0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f', '0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f'],
    ['part of a UUID', '0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4', undefined],
    ['a UUID in other text', 'id 0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f', undefined],
    ['a name', 'Search indexer', undefined],
  ])('should read %s', (_title, text, requestId) => {
    expect(readRequestId(text)).toBe(requestId);
  });
});
