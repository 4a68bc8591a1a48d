import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { modelsFileSettings, modelWith, useModelsFile } from '../../../../test/setup/models-file.js';
import { readModelsFile } from './read-models-file.js';

const file = useModelsFile();

describe('readModelsFile with languages', () => {
  it('should use the options of a bundled model unless the file has others', () => {
    const models = file.read(`
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
    const [problem] = file.problemsOf(modelWith(`engine: tesseract\n${line}`));
    expect(problem?.split(' ')[0]).toBe(`models[0].${field}`);
  });
});

describe('readModelsFile with the static engine', () => {
  const staticModel = (options: string) => modelWith(`engine: static\noptions: { ${options} }`);

  it.each([
    ['source: 5', /^models\[0\]\.options\.source must be a folder like /],
    ['source: minishlab/potion-base-8M', /^models\[0\]\.options\.source must be a folder like /],
    ['source: ./missing', /^models\[0\]\.options\.source is the folder .*, which lacks the files of a static model/],
    ['source: ., maxTokens: 0', /^models\[0\]\.options\.maxTokens must be a whole number from 1 to 8192$/],
    ['source: ., pooling: mean', /^models\[0\]\.options\.pooling is unknown/],
  ])('should reject the options %s', (options, expected) => {
    expect(file.problemsOf(staticModel(options))).toContainEqual(expect.stringMatching(expected));
  });
});

describe('readModelsFile with the engine tesseract-native', () => {
  const { PATH } = process.env;
  beforeEach(() => (process.env['PATH'] = file.folder));
  afterEach(() => (process.env['PATH'] = PATH));

  it('should have the options of the engine tesseract', () => {
    writeFileSync(path.join(file.folder, 'tesseract'), '#!/bin/sh\necho tesseract 5.3.0\n', { mode: 0o755 });
    const servedBy = { engine: 'tesseract-native', languages: ['deu'] };
    expect(file.read(modelWith('engine: tesseract-native\noptions: { languages: [deu] }'))).toEqual([
      expect.objectContaining({ task: 'ocr', servedBy }),
    ]);
  });

  it('should say what to install if the program is missing', () => {
    const advice = 'install Tesseract 5 or newer, for example with apt install tesseract-ocr';
    expect(file.problemsOf(modelWith('engine: tesseract-native'))).toEqual([
      `models[0].engine needs the program tesseract, which is not on the PATH; ${advice}`,
    ]);
  });
});

describe('readModelsFile with the transformers engine', () => {
  const transformers = (options: string) => modelWith(`engine: transformers\noptions: { ${options} }`);

  function writeModel(name: string, files: Record<string, string>): void {
    for (const [location, content] of Object.entries(files)) {
      const place = path.join(file.folder, name, location);
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
    expect(file.read(transformers('source: ./minilm'))[0]?.servedBy).toEqual({
      engine: 'transformers',
      source: path.join(file.folder, 'minilm'),
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
    expect(file.read(transformers(options))[0]?.servedBy).toMatchObject({
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
    const problems = file.problemsOf(transformers(options));
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([`models[0].options.${field}`]);
  });

  it('should require a source', () => {
    expect(file.problemsOf(modelWith('engine: transformers'))[0]).toMatch(
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
    expect(file.problemsOf(transformers('source: ./minilm'))).toEqual([expect.stringMatching(expected)]);
  });

  it('should say how to install a missing package', () => {
    file.write(transformers('source: acme/tiny'));
    expect(() => readModelsFile(file.path, { ...modelsFileSettings, packagesFrom: file.folder })).toThrow(
      /source needs the package @huggingface\/transformers, which is not installed: npm install @huggingface\/transformers$/,
    );
  });
});
