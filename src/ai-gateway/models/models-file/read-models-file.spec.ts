import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { errorMessage, errorName } from '../../../common/errors/error-utils.js';
import { defaultModels } from '../default-models.js';
import { readModelsFile } from './read-models-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'keycard-models-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const secrets: Partial<Record<string, string>> = { ACME_KEY: 'the-secret-value', SPACED_KEY: 'two words' };
const settings = {
  readSecret: (name: string) => secrets[name],
  downloadFolder: '/downloads',
  ocrLanguages: ['eng'],
};
const file = () => path.join(folder, 'models.yaml');

function read(content: string | Buffer) {
  writeFileSync(file(), content);
  return readModelsFile(file(), settings).models;
}

/** The mistakes reported for a file, without its name. */
function mistakesOf(content: string | Buffer): string[] {
  try {
    read(content);
  } catch (error) {
    expect(errorName(error)).toBe('StartupError');
    expect(errorMessage(error)).not.toMatch(/the-secret-value|two words/);
    const [heading, ...lines] = errorMessage(error).split('\n  models.yaml: ');
    expect(heading).toContain(`MODELS_FILE ${file()}`);
    return lines;
  }
  throw new Error('The file was accepted.');
}

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
const engine = (lines: string) => `models:\n  - id: m\n    ${lines.replaceAll('\n', '\n    ')}\n`;

describe('readModelsFile', () => {
  it('should read every field of a model with targets', () => {
    const [model, ...others] = read(`
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
    const models = read(`
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
    const models = read(`
models:
  - { id: a, task: ocr, targets: &servers [{ baseUrl: http://localhost }] }
  - { id: b, task: ocr, targets: *servers }
`);
    expect(models.map(({ servedBy }) => 'targets' in servedBy && servedBy.targets[0]?.baseUrl)).toEqual([
      'http://localhost',
      'http://localhost',
    ]);
  });

  it('should report every mistake with its place', () => {
    const mistakes = mistakesOf(`
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
    expect(mistakes).toEqual([
      'models[0].task must be embeddings or ocr',
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
    const mistakes = mistakesOf(`models:\n  - ${all.join('\n    ')}\n`);
    expect(mistakes.map((mistake) => mistake.split(' ')[0])).toEqual([`models[0].${field}`]);
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
    expect(mistakesOf(content).map((mistake) => mistake.split(' ')[0])).toEqual([`models[0].targets[0].${field}`]);
  });

  it('should reject names shared by two models, whether ids or aliases', () => {
    const model = (id: string, ...aliases: string[]) =>
      `  - { id: ${id}, engine: universal-sentence-encoder-lite, aliases: ${JSON.stringify(aliases)} }\n`;
    const mistakes = mistakesOf(`models:\n${model('a', 'x')}${model('b', 'a', 'x')}${model('b', 'y', 'y')}`);
    expect(mistakes).toEqual([
      "models[1].aliases[0] is 'a', which models[0] also uses",
      "models[1].aliases[1] is 'x', which models[0] also uses",
      "models[2].id is 'b', which models[1] also uses",
      "models[2].aliases[1] is 'y', which models[2] also uses",
    ]);
  });

  it('should reject a service with the name of a model or another service, naming both', () => {
    const model = 'models:\n  - { id: a, engine: tesseract, aliases: [b, authorize] }\n';
    expect(mistakesOf(`${model}services: [c, a, b, c, authorize]`)).toEqual([
      "models[0].aliases[1] is 'authorize', which Keycard also uses",
      "services[1] is 'a', which models[0] also uses",
      "services[2] is 'b', which models[0] also uses",
      "services[3] is 'c', which services[0] also uses",
      "services[4] is 'authorize', which Keycard also uses",
    ]);
  });

  it('should read services, and serve the bundled models if the file lists none', () => {
    writeFileSync(file(), 'services: [search, acme/billing]');
    const services = ['search', 'acme/billing'];
    expect(readModelsFile(file(), settings)).toEqual({ services, models: defaultModels(['eng']), currency: 'USD' });
  });

  it('should read prices and their currency', () => {
    writeFileSync(
      file(),
      `currency: EUR
models:
  - { id: a, task: embeddings, price: { perMillionTokens: 0.02 }, targets: [{ baseUrl: 'http://localhost' }] }
  - { id: b, engine: tesseract, price: { perThousandPages: 1 } }
`,
    );
    const { currency, models } = readModelsFile(file(), settings);
    expect(currency).toBe('EUR');
    expect(models.map(({ price }) => price)).toEqual([{ perMillionTokens: 0.02 }, { perThousandPages: 1 }]);
  });

  it.each([
    [
      'price: { perMillionTokens: 1 }',
      'models[0].price must have perThousandPages and no other field, because the task is ocr',
    ],
    [
      'price: { perThousandPages: 1, perMillionTokens: 1 }',
      'models[0].price must have perThousandPages and no other field, because the task is ocr',
    ],
    ['price: {}', 'models[0].price must have perThousandPages and no other field, because the task is ocr'],
    ['price: { perThousandPages: -1 }', 'models[0].price.perThousandPages must be a number from 0 to 1000000'],
    ['price: 1', 'models[0].price must be a mapping, such as "key: value"'],
  ])('should reject an OCR model with %j', (price, mistake) => {
    expect(mistakesOf(engine(`engine: tesseract\n${price}`))).toEqual([mistake]);
  });

  it.each([
    ['task: embeddings', ['models[0].targets must be a list with at least one item, unless engine is set']],
    [
      'engine: tesseract\ntask: ocr\ntargets: [{ baseUrl: http://localhost }]',
      ['models[0].targets must be omitted if engine is set'],
    ],
    ['engine: tesseract\ntask: embeddings', ['models[0].task must be ocr for this engine']],
    ['targets: [{ baseUrl: http://localhost }]', ['models[0].task must be embeddings or ocr']],
    ['task: ocr\ntargets: []', ['models[0].targets must be a list with at least one item, unless engine is set']],
    ['task: ocr\ntargets: [http://localhost]', ['models[0].targets[0] must be a mapping, such as "key: value"']],
  ])('should reject a model with %j', (lines, expected) => {
    expect(mistakesOf(engine(lines))).toEqual(expected);
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
    [`${engine('engine: tesseract')}extra: 1`, 'extra is unknown; known fields are models, services, currency'],
  ])('should reject the file %j', (content, mistake) => {
    expect(mistakesOf(content)).toContain(mistake);
  });

  it.each([
    ['models:\n  - id: "the-secret-value', /^line \d+, column \d+: /],
    ['models:\n  - id: a\n    id: b\n', /^line 3, column 5: Map keys must be unique/],
    ['models:\n\t- id: a', /^line 2, column 1: /],
    ['a: 1\n---\nb: 2', /^line 2, column 1: /],
    ['models: !!js/function the-secret-value', /^line 1, column 9: Unresolved tag/],
    ['models: *unknown', /alias/i],
  ])('should name the line of invalid YAML: %j', (content, expected) => {
    expect(mistakesOf(content)[0]).toMatch(expected);
  });

  it('should quickly reject aliases that expand without bounds', () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const items = Array.from({ length: 10 }, () => (level === 0 ? 'x' : `*a${level - 1}`));
      return `a${level}: &a${level} [${items.join(', ')}]`;
    });
    expect(mistakesOf(levels.join('\n'))).toEqual([expect.stringMatching(/alias/i)]);
  });

  it('should reject a missing, unreadable or oversized file, and say why', () => {
    expect(() => readModelsFile(path.join(folder, 'none.yaml'), settings)).toThrow(/none\.yaml does not exist/);
    expect(() => readModelsFile(folder, settings)).toThrow(/must be a file; .* is not/);
    expect(() => read(Buffer.from([0xff, 0xfe, 0x80]))).toThrow(/must be UTF-8 text/);
    expect(() => read(Buffer.alloc(1024 * 1024 + 1, '#'))).toThrow(/must be at most 1 MB/);
  });
});

describe('readModelsFile with languages', () => {
  it('should use those of a bundled model unless the file has others', () => {
    const models = read(`
models:
  - { id: a, engine: universal-sentence-encoder-lite }
  - { id: b, engine: universal-sentence-encoder-lite, languages: [en, fr] }
  - { id: c, engine: tesseract }
`);
    expect(models.map(({ languages }) => languages)).toEqual([['en'], ['en', 'fr'], undefined]);
  });

  it.each([
    ['languages: en', 'languages'],
    ['languages: []', 'languages'],
    ['languages: [eng]', 'languages[0]'],
    ['languages: [EN]', 'languages[0]'],
  ])('should reject %s', (line, field) => {
    const [mistake] = mistakesOf(engine(`engine: tesseract\n${line}`));
    expect(mistake?.split(' ')[0]).toBe(`models[0].${field}`);
  });
});

describe('readModelsFile with the static engine', () => {
  const staticModel = (options: string) => engine(`engine: static\noptions: { ${options} }`);

  it.each([
    ['source: 5', /^models\[0\]\.options\.source must be a folder like /],
    ['source: minishlab/potion-base-8M', /^models\[0\]\.options\.source must be a folder like /],
    ['source: ./missing', /^models\[0\]\.options\.source is the folder .*, which lacks the files of a static model/],
    ['source: ., maxTokens: 0', /^models\[0\]\.options\.maxTokens must be a whole number from 1 to 8192$/],
    ['source: ., pooling: mean', /^models\[0\]\.options\.pooling is unknown/],
  ])('should reject the options %s', (options, expected) => {
    expect(mistakesOf(staticModel(options))).toContainEqual(expect.stringMatching(expected));
  });
});

describe('readModelsFile with the engine tesseract-native', () => {
  const { PATH } = process.env;
  beforeEach(() => (process.env['PATH'] = folder));
  afterEach(() => (process.env['PATH'] = PATH));

  it('should have the options of the engine tesseract', () => {
    writeFileSync(path.join(folder, 'tesseract'), '#!/bin/sh\necho tesseract 5.3.0\n', { mode: 0o755 });
    const servedBy = { engine: 'tesseract-native', languages: ['deu'] };
    expect(read(engine('engine: tesseract-native\noptions: { languages: [deu] }'))).toEqual([
      expect.objectContaining({ task: 'ocr', servedBy }),
    ]);
  });

  it('should say what to install if the program is missing', () => {
    const advice = 'install Tesseract 5 or newer, such as with apt install tesseract-ocr';
    expect(mistakesOf(engine('engine: tesseract-native'))).toEqual([
      `models[0].engine needs the program tesseract, which is not on the PATH; ${advice}`,
    ]);
  });
});

describe('readModelsFile with the transformers engine', () => {
  const transformers = (options: string) => engine(`engine: transformers\noptions: { ${options} }`);

  function writeModel(name: string, files: Record<string, string>): void {
    for (const [location, content] of Object.entries(files)) {
      const place = path.join(folder, name, location);
      mkdirSync(path.dirname(place), { recursive: true });
      writeFileSync(place, content);
    }
  }

  const complete = {
    'config.json': '{}',
    'tokenizer.json': '{}',
    'tokenizer_config.json': '{}',
    'onnx/model.onnx': '',
  };

  it('should find a model folder relative to the file, and use defaults for all options', () => {
    writeModel('minilm', complete);
    expect(read(transformers('source: ./minilm'))[0]?.servedBy).toEqual({
      engine: 'transformers',
      source: path.join(folder, 'minilm'),
      pooling: 'mean',
      normalize: true,
      prefix: '',
      dtype: 'fp32',
      maxTokens: 8192,
      threads: expect.any(Number) as number,
      downloadFolder: '/downloads',
    });
  });

  it('should accept a name on the hub, and every option', () => {
    const options =
      "source: Xenova/e5-small, pooling: cls, normalize: false, prefix: 'query: ', dtype: q8, maxTokens: 99, threads: 3";
    expect(read(transformers(options))[0]?.servedBy).toMatchObject({
      source: 'Xenova/e5-small',
      pooling: 'cls',
      normalize: false,
      prefix: 'query: ',
      dtype: 'q8',
      maxTokens: 99,
      threads: 3,
    });
  });

  it.each([
    ['pooling: max', 'pooling'],
    ['normalize: 1', 'normalize'],
    ['prefix: 1', 'prefix'],
    ['dtype: fp64', 'dtype'],
    ['maxTokens: 8193', 'maxTokens'],
    ['threads: 0', 'threads'],
    ['device: gpu', 'device'],
    ['source: all-MiniLM-L6-v2', 'source'],
    ['source: a/../../b', 'source'],
    ['source: https://huggingface.co/a/b', 'source'],
    ['source: 5', 'source'],
    ["source: ''", 'source'],
  ])('should reject the option %s', (option, field) => {
    const options = field === 'source' ? option : `source: acme/tiny, ${option}`;
    const mistakes = mistakesOf(transformers(options));
    expect(mistakes.map((mistake) => mistake.split(' ')[0])).toEqual([`models[0].options.${field}`]);
  });

  it('should require a source', () => {
    expect(mistakesOf(engine('engine: transformers'))[0]).toMatch(
      /^models\[0\]\.options\.source must be a folder like /,
    );
  });

  it.each([
    [
      'does not exist',
      {},
      /^models\[0\]\.options\.source is the folder .*, which does not exist or cannot be read; copy /,
    ],
    ['lacks files', { 'config.json': '{}' }, /which lacks the model's tokenizer\.json, tokenizer_config\.json$/],
    [
      'lacks weights',
      { ...complete, 'onnx/model.onnx': undefined },
      /which lacks onnx\/model\.onnx; export the model to ONNX$/,
    ],
    [
      'has weights of other precisions',
      { ...complete, 'onnx/model.onnx': undefined, 'onnx/model_quantized.onnx': '', 'onnx/model_fp16.onnx': '' },
      /export the model to ONNX, or set dtype to fp16 or q8$/,
    ],
    ['has a broken file', { ...complete, 'config.json': '{"a' }, /whose config\.json is not valid JSON: /],
  ])('should say what to do about a folder that %s', (_, files, expected) => {
    const present = Object.entries(files).filter((entry): entry is [string, string] => entry[1] !== undefined);
    writeModel('minilm', Object.fromEntries(present));
    expect(mistakesOf(transformers('source: ./minilm'))).toEqual([expect.stringMatching(expected)]);
  });

  it('should say how to install a missing package', () => {
    writeFileSync(file(), transformers('source: acme/tiny'));
    expect(() => readModelsFile(file(), { ...settings, packagesFrom: folder })).toThrow(
      /source needs the package @huggingface\/transformers, which is not installed: npm install @huggingface\/transformers$/,
    );
  });
});
