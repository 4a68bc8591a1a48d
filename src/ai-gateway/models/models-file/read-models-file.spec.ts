import path from 'node:path';
import { modelsFileSettings, modelWith, useModelsFile } from '../../../../test/setup/models-file.js';
import { defaultModels } from '../default-models.js';
import { readModelsFile } from './read-models-file.js';

const file = useModelsFile();

const nameError = (field: string) =>
  `${field} must be text of 1 to 200 characters, without control characters and leading or trailing spaces`;

/** A file with one model and one target, with these lines in each. */
const target = (lines: string, modelLines = '') => `
models:
  - id: m
    task: embeddings
    ${modelLines}
    targets:
      - baseUrl: http://localhost:8080/v1
        ${lines}
`;

describe('readModelsFile', () => {
  it('should read every field of a model with targets', () => {
    const [model, ...others] = file.read(`
models:
  - id: acme/embed-1
    task: embeddings
    aliases: [small, 'a b']
    ownedBy: acme
    created: 2024-01-25
    targets:
      - { baseUrl: 'https://api.example.com/v1/', apiKeyEnv: ACME_KEY, model: e1, weight: 2.5, timeoutSeconds: 5 }
      - baseUrl: HTTP://10.0.0.2:8080
`);
    expect(others).toEqual([]);
    expect(model).toEqual({
      id: 'acme/embed-1',
      task: 'embeddings',
      aliases: ['small', 'a b'],
      ownedBy: 'acme',
      createdSeconds: 1_706_140_800,
      servedBy: {
        targets: [
          {
            baseUrl: 'https://api.example.com/v1',
            apiKey: 'the-secret-value',
            model: 'e1',
            weight: 2.5,
            timeoutSeconds: 5,
          },
          {
            baseUrl: 'http://10.0.0.2:8080',
            apiKey: undefined,
            model: 'acme/embed-1',
            weight: 1,
            timeoutSeconds: 60,
          },
        ],
      },
    });
  });

  it('should derive the task of an embedded model from its engine', () => {
    const models = file.read(`
models:
  - { id: use, engine: universal-sentence-encoder-lite, aliases: [], created: }
  - { id: english, engine: tesseract }
  - { id: any, engine: tesseract, options: { languages: auto } }
  - { id: scans, aliases: , engine: tesseract, task: ocr, options: { languages: [deu, fra] } }
`);
    expect(models.map(({ id, task, ownedBy, servedBy }) => ({ id, task, ownedBy, servedBy }))).toEqual([
      {
        id: 'use',
        task: 'embeddings',
        ownedBy: 'keycard',
        servedBy: { engine: 'universal-sentence-encoder-lite' },
      },
      { id: 'english', task: 'ocr', ownedBy: 'keycard', servedBy: { engine: 'tesseract', languages: ['eng'] } },
      { id: 'any', task: 'ocr', ownedBy: 'keycard', servedBy: { engine: 'tesseract', languages: 'auto' } },
      { id: 'scans', task: 'ocr', ownedBy: 'keycard', servedBy: { engine: 'tesseract', languages: ['deu', 'fra'] } },
    ]);
  });

  it('should support YAML anchors', () => {
    const models = file.read(`
models:
  - { id: a, task: ocr, targets: &servers [{ baseUrl: http://localhost }] }
  - { id: b, task: ocr, targets: *servers }
`);
    expect(models.map(({ servedBy }) => 'targets' in servedBy && servedBy.targets[0]?.baseUrl)).toEqual([
      'http://localhost',
      'http://localhost',
    ]);
  });

  it('should report every problem with its place', () => {
    const problems = file.problemsOf(`
models:
  - id: first
    task: embedding
    targets:
      - baseUrl: https://api.example.com/v1
        apiKeyEnv: NOT_SET
      - { url: http://localhost, weight: 0 }
  - engine: tesseract
    colour: red
`);
    expect(problems).toEqual([
      'models[0].task must be one of embeddings, ocr, generation',
      'models[0].targets[0].apiKeyEnv is NOT_SET, and this environment variable is not set',
      expect.stringMatching(/^models\[0\]\.targets\[1\]\.baseUrl must be an http or https URL like /),
      'models[0].targets[1].weight must be a number above 0 and at most 1000000',
      expect.stringMatching(/^models\[0\]\.targets\[1\]\.url is unknown; known fields are baseUrl, apiKeyEnv, model, /),
      expect.stringMatching(/^models\[1\]\.id must be text of 1 to 200 characters/),
      expect.stringMatching(/^models\[1\]\.colour is unknown; known fields are id, /),
    ]);
  });

  it.each([
    ["id: ''", 'id'],
    ['id: 5', 'id'],
    ['id: " padded"', 'id'],
    ['id: "two\\nlines"', 'id'],
    [`id: ${'x'.repeat(201)}`, 'id'],
    ['aliases: one', 'aliases'],
    ['aliases: [1]', 'aliases[0]'],
    ['ownedBy: [acme]', 'ownedBy'],
    ['created: 25.1.2024', 'created'],
    ['created: 2024-02-30', 'created'],
    ['created: 1700000000', 'created'],
    ['task: ocr', 'task'],
    ['engine: tensorflow', 'engine'],
    ['options: [eng]', 'options'],
    ['options: { speed: 1 }', 'options.speed'],
    ['constructor: 1', 'constructor'],
    ['__proto__: 1', '__proto__'],
  ])('should reject a model with %s', (line, field) => {
    const lines = { id: 'id: m', engine: 'engine: universal-sentence-encoder-lite' };
    const own = Object.entries(lines).map(([key, text]) => (line.startsWith(`${key}:`) ? line : text));
    const all = own.includes(line) ? own : [...own, line];
    const problems = file.problemsOf(`models:\n  - ${all.join('\n    ')}\n`);
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([`models[0].${field}`]);
  });

  it.each([
    'baseUrl: ftp://localhost',
    'baseUrl: localhost:8080',
    'baseUrl: https://user:the-secret-value@localhost',
    'baseUrl: https://the-secret-value@localhost',
    'baseUrl: http://localhost/v1?key=the-secret-value',
    'baseUrl: http://localhost/v1?',
    'baseUrl: "http://localhost/#"',
    'baseUrl: 7',
    'apiKeyEnv: hf_the-secret-value',
    'apiKeyEnv: sk_lowercase',
    'apiKeyEnv: SPACED_KEY',
    'apiKey: the-secret-value',
    "model: ''",
    'weight: -1',
    'weight: .inf',
    'weight: .nan',
    'weight: heavy',
    'timeoutSeconds: 0',
    'timeoutSeconds: 601',
    'timeoutSeconds: 1.5',
  ])('should reject a target with %s, without quoting a secret', (line) => {
    const content = line.startsWith('baseUrl') ? target('').replace(/baseUrl: .*/, line) : target(line);
    const field = line.split(':')[0];
    expect(file.problemsOf(content).map((problem) => problem.split(' ')[0])).toEqual([`models[0].targets[0].${field}`]);
  });

  it('should reject names shared by two models, whether ids or aliases', () => {
    const model = (id: string, ...aliases: string[]) =>
      `  - { id: ${id}, engine: universal-sentence-encoder-lite, aliases: ${JSON.stringify(aliases)} }\n`;
    const problems = file.problemsOf(`models:\n${model('a', 'x')}${model('b', 'a', 'x')}${model('b', 'y', 'y')}`);
    expect(problems).toEqual([
      "models[1].aliases[0] is 'a', which models[0] also uses",
      "models[1].aliases[1] is 'x', which models[0] also uses",
      "models[2].id is 'b', which models[1] also uses",
      "models[2].aliases[1] is 'y', which models[2] also uses",
    ]);
  });

  it('should reject a service with the name of a model or another service, naming both', () => {
    const model = 'models:\n  - { id: a, engine: tesseract, aliases: [b, authorize] }\n';
    expect(file.problemsOf(`${model}services: [c, a, b, c, authorize]`)).toEqual([
      "models[0].aliases[1] is 'authorize', which Keycard also uses",
      "services[1] is 'a', which models[0] also uses",
      "services[2] is 'b', which models[0] also uses",
      "services[3] is 'c', which services[0] also uses",
      "services[4] is 'authorize', which Keycard also uses",
    ]);
  });

  it('should read services, and serve the bundled models if the file lists none', () => {
    file.write('services: [search, acme/billing]');
    const services = ['search', 'acme/billing'];
    expect(file.readAll()).toEqual({ services, models: defaultModels(['eng']), currency: 'USD' });
  });

  it('should read services that only some organizations may use, even the default one', () => {
    const [one, other] = ['01936F5E-7B1C-7A10-8A2F-1F6F0E2D9C11', '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f'];
    file.write(`services:
  - search
  - { name: reports, organizations: [${one}, ${other}] }
  - { name: authorize, organizations: [${other}] }
  - { name: public }
`);
    expect(file.readAll().services).toEqual([
      'search',
      { name: 'reports', organizations: [one.toLowerCase(), other] },
      { name: 'authorize', organizations: [other] },
      { name: 'public' },
    ]);
  });

  it.each([
    ['{ name: search, organizations: [] }', ['services[0].organizations must be a list with at least one item']],
    [
      '{ name: search, organizations: [Research] }',
      ['services[0].organizations[0] must be the id of an organization, which is a UUID'],
    ],
    ['{ organizations: [01936f5e-7b1c-7a10-8a2f-1f6f0e2d9c11] }', [nameError('services[0].name')]],
    ['{ name: search, keys: 1 }', ['services[0].keys is unknown; known fields are name, organizations']],
    ['{ name: search }, search', ["services[1] is 'search', which services[0] also uses"]],
    ['{ name: search }, { name: search }', ["services[1].name is 'search', which services[0] also uses"]],
    ['{ name: authorize }, authorize', ["services[1] is 'authorize', which services[0] also uses"]],
    ['{ name: 1 }', [nameError('services[0].name')]],
    ['1', ['services[0] must be a name, or a mapping with name and organizations']],
    ['[search]', ['services[0] must be a name, or a mapping with name and organizations']],
  ])('should reject the services %j', (services, problems) => {
    expect(file.problemsOf(`services: [${services}]`)).toEqual(problems);
  });

  it.each([
    ['task: embeddings', ['models[0].targets must be a list with at least one item, unless engine is set']],
    [
      'engine: tesseract\ntask: ocr\ntargets: [{ baseUrl: http://localhost }]',
      ['models[0].targets must be omitted if engine is set'],
    ],
    ['engine: tesseract\ntask: embeddings', ['models[0].task must be ocr for this engine']],
    ['targets: [{ baseUrl: http://localhost }]', ['models[0].task must be one of embeddings, ocr, generation']],
    ['task: ocr\ntargets: []', ['models[0].targets must be a list with at least one item, unless engine is set']],
    ['task: ocr\ntargets: [http://localhost]', ['models[0].targets[0] must be a mapping, such as "key: value"']],
  ])('should reject a model with %j', (lines, expected) => {
    expect(file.problemsOf(modelWith(lines))).toEqual(expected);
  });

  it.each([
    ['', 'the file is empty; it must contain a list "models"'],
    ['# nothing', 'the file is empty; it must contain a list "models"'],
    ['models:', 'models must be a list with at least one item'],
    ['models: []', 'models must be a list with at least one item'],
    ['models: [the-secret-value]', 'models[0] must be a mapping, such as "key: value"'],
    ['- id: m', 'the file must be a mapping, such as "key: value"'],
    ['just text', 'the file must be a mapping, such as "key: value"'],
    ['services: []', 'services must be a list with at least one item'],
    ['services: search', 'services must be a list with at least one item'],
    ['services: [" search"]', nameError('services[0]')],
    ['services: [search]\ncurrency: eur', 'currency must be an ISO 4217 currency code such as USD'],
    [`${modelWith('engine: tesseract')}extra: 1`, 'extra is unknown; known fields are models, services, currency'],
  ])('should reject the file %j', (content, problem) => {
    expect(file.problemsOf(content)).toContain(problem);
  });

  it.each([
    ['models:\n  - id: "the-secret-value', /^line \d+, column \d+: /],
    ['models:\n  - id: a\n    id: b\n', /^line 3, column 5: Map keys must be unique/],
    ['models:\n\t- id: a', /^line 2, column 1: /],
    ['a: 1\n---\nb: 2', /^line 2, column 1: /],
    ['models: !!js/function the-secret-value', /^line 1, column 9: Unresolved tag/],
    ['models: *unknown', /alias/i],
  ])('should name the line of invalid YAML: %j', (content, expected) => {
    expect(file.problemsOf(content)[0]).toMatch(expected);
  });

  it('should quickly reject aliases that expand without bounds', () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const items = Array.from({ length: 10 }, () => (level === 0 ? 'x' : `*a${level - 1}`));
      return `a${level}: &a${level} [${items.join(', ')}]`;
    });
    expect(file.problemsOf(levels.join('\n'))).toEqual([expect.stringMatching(/alias/i)]);
  });

  it('should reject a missing, unreadable or oversized file, and say why', () => {
    expect(() => readModelsFile(path.join(file.folder, 'none.yaml'), modelsFileSettings)).toThrow(
      /none\.yaml does not exist/,
    );
    expect(() => readModelsFile(file.folder, modelsFileSettings)).toThrow(/must be a file; .* is not/);
    expect(() => file.read(Buffer.from([0xff, 0xfe, 0x80]))).toThrow(/must be UTF-8 text/);
    expect(() => file.read(Buffer.alloc(1024 * 1024 + 1, '#'))).toThrow(/must be at most 1 MB/);
  });
});
