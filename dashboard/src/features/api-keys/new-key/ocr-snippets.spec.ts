import { createOcrSnippets } from './ocr-snippets.js';

describe('createOcrSnippets', () => {
  it.each(['curl', 'Node.js', 'Python'])('should send a document with the key and model in %s', (language) => {
    const snippets = createOcrSnippets({ origin: 'https://keycard.example.com', apiKey: 'kc_example', model: 'scans' });
    const code = snippets.find((snippet) => snippet.language === language)?.code;
    for (const part of ['https://keycard.example.com/v1/ocr', 'Bearer kc_example', 'scans', 'document.pdf']) {
      expect(code).toContain(part);
    }
  });
});
