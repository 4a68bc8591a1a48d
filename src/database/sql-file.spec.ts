import { loadStatement } from './sql-file.js';

const file = 'limits/read-limit-states.sql';

describe('a statement', () => {
  const statement = loadStatement<string>(file, { parameters: ['ownerIds'] });

  it('should have the header and the text of its file', () => {
    expect(statement).toMatchObject({ files: [file], parameters: ['ownerIds'] });
    expect(statement.header).toMatch(/^-- Reads the limits/);
    expect(statement.text).toMatch(/^with owner [^]+ = any \(\$1\b/);
  });

  it('should bind values', () => {
    expect(statement.bind({ ownerIds: 1 })).toEqual([1]);
  });

  it.each([
    ['a value is missing', {}, `${file} needs a value for :ownerIds.`],
    ['a name is unknown', { ownerIds: 1, other: 2 }, `${file} has no parameter :other.`],
  ])('should not bind values if %s', (_, values, message) => {
    expect(() => statement.bind(values)).toThrow(message);
  });

  it('should contain the statements of included files without their headers', () => {
    const { files, text } = loadStatement('api-keys/find-live-keys.sql', {
      parameters: ['hashes', 'needsName', 'beat', 'token'],
    });
    expect(files).toEqual(['api-keys/find-live-keys.sql', 'api-keys/believed-server.sql']);
    expect(text).toMatch(/^with server as materialized \(/);
  });

  it.each([
    ['declared but not used', ['ownerIds', 'other'], 'There is no parameter :other.'],
    ['used but not declared', [], "The parameter :ownerIds isn't declared."],
  ])('should not load with a parameter that is %s', (_, parameters, message) => {
    const error = expect.objectContaining({ message }) as Error;
    expect(() => loadStatement(file, { parameters })).toThrow(
      expect.objectContaining({ message: `${file} can't be loaded.`, cause: error }) as Error,
    );
  });
});
