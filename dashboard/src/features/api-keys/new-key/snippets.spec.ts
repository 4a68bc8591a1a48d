import { parseEnv } from 'node:util';
import { createSnippets } from './snippets.js';

const options = { origin: 'https://keycard.example.com', apiKey: 'kc_example', model: 'some-model' };
const code = (language: string, changes: Partial<typeof options> | { model: undefined } = {}) =>
  createSnippets({ ...options, ...changes }).find((snippet) => snippet.language === language)?.code ?? '';

describe('createSnippets', () => {
  it('should include the URL, key and model in each language', () => {
    for (const snippet of createSnippets(options)) {
      expect(snippet.code).toContain('https://keycard.example.com/v1');
      expect(snippet.code).toContain('kc_example');
      if (snippet.language !== '.env') expect(snippet.code).toContain('some-model');
    }
  });

  it("should have the lines of an .env file that OpenAI's clients read", () => {
    expect(parseEnv(code('.env'))).toEqual({
      OPENAI_BASE_URL: 'https://keycard.example.com/v1',
      OPENAI_API_KEY: 'kc_example',
    });
  });

  it('should escape quotes in a model name for the shell', () => {
    expect(code('curl', { model: `it's "new"` })).toContain(
      String.raw`-d '{"model":"it'\''s \"new\"","input":"Hello, world"}'`,
    );
  });

  it('should escape quotes in a model name for JavaScript and Python', () => {
    expect(code('Node.js', { model: 'a "b"' })).toContain(String.raw`model: "a \"b\"",`);
    expect(code('Python', { model: 'a "b"' })).toContain(String.raw`model="a \"b\"",`);
  });

  it('should list the models without an embeddings model', () => {
    expect(code('curl', { model: undefined })).toContain('curl https://keycard.example.com/v1/models ');
    expect(code('Node.js', { model: undefined })).toContain('client.models.list()');
    expect(code('Python', { model: undefined })).toContain('client.models.list()');
  });
});
