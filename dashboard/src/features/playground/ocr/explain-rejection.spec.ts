import { explainRejection, maxDocumentBytes } from './explain-rejection.js';
import { documentTooLarge, largestDocumentBytes } from '../../../../../src/ai-gateway/ocr/body/document-limit.js';

describe('explainRejection', () => {
  it("should use the service's limit and message", () => {
    expect(maxDocumentBytes).toBe(largestDocumentBytes);
    expect(explainRejection(1)).toBe(documentTooLarge('file').message);
  });

  it('should ask for a single document if several are dropped', () => {
    expect(explainRejection(2)).toBe('Drop one document at a time.');
  });
});
