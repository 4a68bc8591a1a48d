import { explainRejection } from './explain-rejection.js';

describe('explainRejection', () => {
  it('should name the maximum size of a document', () => {
    expect(explainRejection(1)).toBe('The document must be at most 50 MB.');
  });

  it('should ask for one document if several are dropped', () => {
    expect(explainRejection(2)).toBe('Drop one document at a time.');
  });
});
