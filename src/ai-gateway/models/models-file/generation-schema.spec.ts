import { useModelsFile } from '../../../../test/setup/models-file.js';
import { outputLimitFields } from '../../../config/model-definition.js';
import { chat, completions } from '../../tasks/generation/dialects/chat.js';
import { messages } from '../../tasks/generation/dialects/messages.js';
import { responses } from '../../tasks/generation/dialects/responses.js';

const file = useModelsFile();

/** A file with one model that generates text and one target, with these lines in each. */
const generation = (modelLine: string, targetLine = 'weight: 1', task = 'generation\n    maxOutputTokens: 1000') => `
models:
  - id: m
    task: ${task}
    ${modelLine}
    targets:
      - baseUrl: http://localhost:8080/v1
        ${targetLine}
`;

describe('mediaTokens', () => {
  it('should be read, also if some kinds are missing', () => {
    const [model] = file.read(generation('mediaTokens: { image: 1500, file: 250000 }'));
    expect(model).toMatchObject({ mediaTokens: { image: 1500, file: 250_000 } });
  });

  it.each([
    ['{ image: 0 }', '.image must be a whole number from 1 to 10000000'],
    ['{ image: 10000001 }', '.image must be a whole number from 1 to 10000000'],
    ['{ audio: 1.5 }', '.audio must be a whole number from 1 to 10000000'],
    ['{ file: many }', '.file must be a whole number from 1 to 10000000'],
    ['{ video: 1 }', '.video is unknown; known fields are image, audio, file'],
    ['5000', ' must be a mapping, such as "key: value"'],
  ])('should be rejected as %s', (value, problem) => {
    expect(file.problemsOf(generation(`mediaTokens: ${value}`))).toEqual([`models[0].mediaTokens${problem}`]);
  });

  it('should only be allowed for models that generate text', () => {
    expect(file.problemsOf(generation('mediaTokens: { image: 1 }', 'weight: 1', 'embeddings'))).toEqual([
      "models[0].mediaTokens must be omitted: it's for generation, and the task is embeddings",
    ]);
  });
});

describe('outputLimitField', () => {
  it.each([
    ['chat/completions', 'max_tokens'],
    ['chat/completions', 'max_completion_tokens'],
    ['completions', 'max_tokens'],
    ['responses', 'max_output_tokens'],
    ['messages', 'max_tokens'],
    ['chat/completions, responses', 'max_output_tokens'],
  ])('should be accepted for the routes %s as %s', (routes, field) => {
    const [model] = file.read(generation(`routes: [${routes}]`, `outputLimitField: ${field}`));
    expect(model).toMatchObject({ servedBy: { targets: [{ outputLimitField: field }] } });
  });

  it.each([
    ['routes: [messages]', 'max_completion_tokens', 'must be max_tokens for the routes messages'],
    ['routes: [responses]', 'max_tokens', 'must be max_output_tokens for the routes responses'],
    [
      'aliases: [a]',
      'max_output_tokens',
      'must be max_tokens or max_completion_tokens for the routes chat/completions',
    ],
    ['aliases: [a]', 'max_length', 'must be one of max_tokens, max_completion_tokens, max_output_tokens'],
  ])('should be rejected for a model with %s as %s', (line, field, problem) => {
    expect(file.problemsOf(generation(line, `outputLimitField: ${field}`))).toEqual([
      `models[0].targets[0].outputLimitField ${problem}`,
    ]);
  });

  it('should only be allowed for models that generate text', () => {
    expect(file.problemsOf(generation('aliases: [a]', 'outputLimitField: max_tokens', 'ocr'))).toEqual([
      "models[0].targets[0].outputLimitField must be omitted: it's for generation, and the task is ocr",
    ]);
  });

  it('should offer exactly the fields that Keycard reads', () => {
    for (const dialect of [chat, completions, messages, responses]) {
      expect(dialect.outputLimitFields.toSorted()).toEqual(outputLimitFields[dialect.route].toSorted());
    }
  });
});
