import { explainRejection, unknownType } from './explain-rejection.js';

const tooLarge = { code: 'file-too-large', message: '' };

describe('explainRejection', () => {
  it('should name the maximum size of a document', () => {
    expect(explainRejection([{ errors: [tooLarge] }])).toBe('The document must be at most 50 MB.');
  });

  it('should list the document types, even for a large file of another type', () => {
    const message = 'The document must be a PDF or an image (PNG, JPEG, WebP, TIFF or GIF).';
    expect(explainRejection([{ errors: [unknownType] }])).toBe(message);
    expect(explainRejection([{ errors: [tooLarge, unknownType] }])).toBe(message);
  });

  it('should ask for one document if several are dropped', () => {
    expect(explainRejection([{ errors: [] }, { errors: [] }])).toBe('Drop one document at a time.');
  });
});
