import { explainRejection, largestDocumentBytes } from './explain-rejection.js';
import {
  documentTooLarge,
  largestDocumentBytes as limitOfService,
} from '../../../../../src/ai-gateway/ocr/body/document-limit.js';

describe('explainRejection', () => {
  it('should have the limit of the service, and its words', () => {
    expect(largestDocumentBytes).toBe(limitOfService);
    expect(explainRejection(1)).toBe(documentTooLarge('file').message);
  });

  it('should ask for one document when several are dropped', () => {
    expect(explainRejection(2)).toBe('Drop one document at a time.');
  });
});
