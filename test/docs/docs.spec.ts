import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { readModelsFile } from '../../src/ai-gateway/models/models-file/read-models-file.js';
import { errorCatalog } from '../../src/common/errors/error-catalog.js';
import { parseSettings } from '../../src/common/validation/settings-schema.js';
import { variableName, variables } from '../../src/config/variables.js';
import { writeStaticModel } from '../engines/static-model-files.js';
import { writeTinyModel } from '../engines/tiny-model.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';

const read = (file: string) => readFileSync(file, 'utf8');

/** Returns the rows of a Markdown file's first table, as cells. */
function tableOf(file: string): string[][] {
  const lines = read(file)
    .split('\n')
    .filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) => {
    return line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
  });
}

/** Returns the YAML examples of a Markdown file. */
const yamlOf = (file: string) => [...read(file).matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, yaml]) => yaml ?? '');

const code = (text: string) => `\`${text}\``;

const { oidc, otel, ...others } = variables.shape;

const documentedVariables = [
  ...Object.entries(others).map(([field, schema]) => ({ name: variableName([field]), schema })),
  ...Object.entries(otel.shape).map(([field, schema]) => ({ name: variableName(['otel', field]), schema })),
  ...Object.entries(oidc.shape).map(([field, schema]) => ({ name: variableName(['oidc', field]), schema })),
].map(({ name, schema }) => ({
  name,
  description: schema.description,
  // No variable allows this text.
  allowed: parseSettings(schema.unwrap(), '\n\0', () => '')
    .problems.join()
    .replace(' must be ', ''),
  default: schema instanceof z.ZodPrefault ? schema.def.defaultValue : undefined,
}));

describe('docs/configuration.md', () => {
  it('should describe every variable as the code reads it', () => {
    const expected = documentedVariables.map(({ name, default: value, description, allowed }) => [
      code(name),
      value === undefined ? 'unset' : value === '' ? 'empty' : code(value),
      allowed,
      description,
    ]);
    expect(tableOf('docs/configuration.md')).toEqual(expected);
  });
});

describe('.env.example', () => {
  it('should list every variable with its default, commented out', () => {
    const lines = read('.env.example').match(/^# [A-Z_]+=.*$/gm);
    const expected = documentedVariables.map(({ name, default: value }) => `# ${name}=${value ?? ''}`);
    expect(lines).toEqual(expected);
  });
});

describe('docs/errors.md', () => {
  it('should match the error catalog', () => {
    const expected = Object.entries(errorCatalog).map(([name, { status, title, openAi, remedy }]) => [
      code(name),
      String(status),
      title,
      `${code(openAi.type)}, ${openAi.code === null ? 'null' : code(openAi.code)}`,
      remedy,
    ]);
    expect(tableOf('docs/errors.md')).toEqual(expected);
  });
});

describe('docs/models.md', () => {
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await makeTemporaryFolder();
    await writeTinyModel(path.join(folder.path, 'models', 'all-MiniLM-L6-v2'));
    await writeStaticModel(path.join(folder.path, 'models', 'potion-base-8M'));
    // For the example with `tesseract-native`, on machines without the program.
    writeFileSync(path.join(folder.path, 'tesseract'), '#!/bin/sh\necho tesseract 5.3.0\n', { mode: 0o755 });
    process.env['PATH'] = [folder.path, process.env['PATH']].join(path.delimiter);
  });
  afterAll(() => folder.remove());

  function readExample(yaml: string) {
    const file = path.join(folder.path, 'models.yaml');
    writeFileSync(file, yaml);
    return readModelsFile(file, {
      readSecret: (name) => `value-of-${name}`,
      downloadFolder: folder.path,
      ocrLanguages: 'auto',
    });
  }

  it.each([...yamlOf('docs/models.md'), ...yamlOf('docs/generation.md')])(
    'should have only valid examples: %s',
    (yaml) => {
      expect(readExample(yaml).models.length).toBeGreaterThan(0);
    },
  );

  it('should show the default models', () => {
    const embedded = yamlOf('docs/models.md').find((yaml) => yaml.includes('engine: tesseract'));
    expect(readExample(embedded ?? '').models).toEqual(expect.arrayContaining(defaultModels()));
  });
});

/** The Markdown files of the repository. */
const documents = [
  ...readdirSync('.'),
  ...['docs', 'document-reader', 'src'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
  ),
].filter((file) => file.endsWith('.md'));

/** Returns its text without code, which may contain brackets. */
const proseOf = (file: string) => read(file).replaceAll(/^```[\s\S]*?^```$|`[^`\n]*`/gm, '');

/** Returns the anchors GitHub gives to a Markdown file's headings. */
function anchorsOf(file: string): string[] {
  const headings = read(file)
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  );
}

/** Returns the broken relative links of a Markdown file. */
function brokenLinksOf(file: string): string[] {
  const targets = [...proseOf(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [name = '', anchor] = target.split('#');
    const linked = name === '' ? file : path.join(path.dirname(file), name);
    if (!existsSync(linked)) return true;
    return anchor !== undefined && linked.endsWith('.md') && !anchorsOf(linked).includes(anchor);
  });
}

/** The request paths in docs/architecture.md, with the files that their tables list. */
const requestPaths = read('docs/architecture.md')
  .split(/^## /m)
  .filter((section) => /passes through \d+ files/.test(section))
  .map((section) => {
    const numberIn = (pattern: RegExp) => Number(pattern.exec(section)?.[1] ?? 0);
    const cells = [...section.matchAll(/^\| [A-Z][\w, ]+\| ([^|]*`[^|]*)\|$/gm)].map(([, cell = '']) => cell);
    const files = cells
      .flatMap((cell) => cell.split('; '))
      .flatMap((part) => {
        const [, folder = '', names = part] = /^`([^`]+)`: (.*)$/.exec(part) ?? [];
        const parent = folder.startsWith('document-reader/') ? folder : path.join('src', folder);
        return [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => path.join(parent, `${name}.ts`));
      });
    return {
      title: section.split('\n', 1)[0] ?? '',
      files,
      count: numberIn(/passes through (\d+) files/),
      sharedCount: numberIn(/shares (\d+) of them/),
    };
  });

describe('docs/architecture.md', () => {
  it.each(requestPaths)('should list and count existing files in "$title"', ({ files, count, sharedCount }) => {
    expect(files.filter((name) => !existsSync(name))).toEqual([]);
    expect(files.length + sharedCount).toBe(count);
  });

  it('should describe a request to an upstream, to an engine and to the management API', () => {
    expect(requestPaths.map(({ title }) => title)).toEqual([
      'Request path of `POST /v1/embeddings`',
      'Request path of `POST /v1/ocr`',
      'Deleting a key',
    ]);
  });
});

/** Returns the paths in a Markdown file's code spans, except for build output. */
const pathsIn = (file: string) =>
  [...read(file).matchAll(/`((?:src|document-reader|test|scripts|bench|dashboard|docs)\/[\w./-]+)`/g)]
    .map(([, named = '']) => named)
    .filter((named) => !named.includes('/dist'));

describe('Paths in documents', () => {
  it.each(documents)('should exist: %s', (file) => {
    expect(pathsIn(file).filter((named) => !existsSync(named))).toEqual([]);
  });
});

describe('Links in documents', () => {
  it('should be found by these tests', () => {
    expect(documents).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/architecture.md']));
    expect(proseOf('README.md')).toMatch(/\]\(docs\//);
  });

  it.each(documents)('should lead to existing files and headings in %s', (file) => {
    expect(brokenLinksOf(file)).toEqual([]);
  });
});
