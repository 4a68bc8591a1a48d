import { readFileSync } from 'node:fs';
import { errorCatalogue } from '../src/common/errors/error-catalogue.js';
import { variables } from '../src/config/variables.js';

const read = (file: string) => readFileSync(file, 'utf8');

/** The rows of the first table of a Markdown file, as cells. */
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

const code = (text: string) => `\`${text}\``;

describe('docs/configuration.md', () => {
  it('should describe every variable as the code reads it', () => {
    const expected = Object.entries(variables).map(([name, { default: value, description, allowed }]) => [
      code(name),
      value === undefined ? 'unset' : value === '' ? 'empty' : code(value),
      allowed,
      description,
    ]);
    expect(tableOf('docs/configuration.md')).toEqual(expected);
  });
});

describe('.env.example', () => {
  it('should list every variable with its default, switched off', () => {
    const lines = read('.env.example').match(/^# [A-Z_]+=.*$/gm);
    const expected = Object.entries(variables).map(([name, variable]) => `# ${name}=${variable.default ?? ''}`);
    expect(lines).toEqual(expected);
  });
});

describe('docs/errors.md', () => {
  it('should list the catalogue of errors', () => {
    const expected = Object.entries(errorCatalogue).map(([name, { status, title, openAi, remedy }]) => [
      code(name),
      String(status),
      title,
      `${code(openAi.type)}, ${openAi.code === null ? 'null' : code(openAi.code)}`,
      remedy,
    ]);
    expect(tableOf('docs/errors.md')).toEqual(expected);
  });
});
