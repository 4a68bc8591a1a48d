import fc from 'fast-check';
import { fillIncludes, fillPlaceholders, numberParameters, splitHeader } from './sql-text.js';

describe('the header of a statement file', () => {
  it('should be separated from the statement', () => {
    expect(splitHeader('-- Finds keys.\n--\n-- In: :id\n\nselect 1 -- one\n')).toEqual({
      header: '-- Finds keys.\n--\n-- In: :id\n',
      body: 'select 1 -- one',
    });
  });

  it('should end at the first line that is not a comment', () => {
    const { header } = splitHeader('-- Finds keys.\nselect 1\n-- two\n');
    expect(header).toBe('-- Finds keys.\n');
  });
});

describe('named parameters', () => {
  it('should be numbered in the order in which they first appear', () => {
    expect(numberParameters('select :b::uuid[], :a, (:b)')).toEqual({
      text: 'select $1::uuid[], $2, ($1)',
      parameters: ['b', 'a'],
    });
  });

  it.each([
    ['a cast', 'select 1::integer'],
    ['a string', `select ':a'`],
    ['a string with a quotation mark', `select 'it''s :a'`],
    ['a string with an escaped quotation mark', String.raw`select e'\':a'`],
    ['a string that ends in a backslash', String.raw`select '\', 1::text, ':a'`],
    ['a quoted name', 'select ":a"'],
    ['a function body', 'do $$ select :a $$'],
    ['a function body with a tag', 'do $body$ select $$ :a $$ $body$'],
    ['a comment to the end of the line', `select 1 -- isn't :a`],
    ['a comment in the line', 'select /* :a\n:a */ 1'],
    ['a slice of an array', 'select slots[1:2]'],
    ['an assignment', 'call run(id := 1)'],
  ])('should not be found in %s', (_, text) => {
    expect(numberParameters(text)).toEqual({ text, parameters: [] });
  });

  it('should be required instead of numbered ones', () => {
    expect(() => numberParameters('select $1')).toThrow('$1 needs a name.');
  });

  it('should be found after each of those', () => {
    const texts = [`''`, `':a'`, `'a''b'`, `e'\\''`, '":a"', '$$:a$$', '$x$:a$x$', '/* :a */', '-- :a\n', '1::text'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...texts)), (parts) => {
        const text = parts.map((part) => `${part} `).join('');
        expect(numberParameters(`${text}:b`)).toEqual({ text: `${text}$1`, parameters: ['b'] });
      }),
    );
  });
});

describe('includes', () => {
  it('should be replaced by the text of the file', () => {
    const text = 'with {{include limits/admit-batch.sql}}\nselect 1';
    expect(fillIncludes(text, (name) => `<${name}>`)).toBe('with <limits/admit-batch.sql>\nselect 1');
  });
});

describe('placeholders', () => {
  it('should be replaced by fragments', () => {
    expect(fillPlaceholders('select {{a}}, {{b}}, {{a}}', { fragments: { a: '1', b: '$&' } })).toBe('select 1, $&, 1');
  });

  it('should repeat their line for each element of a list', () => {
    const meters = [
      { column: 'pages', name: 'pages' },
      { column: 'input_tokens', name: 'inputTokens' },
    ];
    const text = 'select\n  {{meters.column}} + :{{meters.name}} as {{meters.column}},\n  1';
    expect(fillPlaceholders(text, { lists: { meters } })).toBe(
      'select\n  pages + :pages as pages,\n  input_tokens + :inputTokens as input_tokens,\n  1',
    );
  });

  it.each([
    ['a fragment that is missing', '{{a}}', {}],
    ['a fragment that is not used', 'select 1', { fragments: { a: '1' } }],
    ['a list that is missing', '{{a.b}}', {}],
    ['a list that is not used', 'select 1', { lists: { a: [] } }],
    ['a property that is missing', '{{a.b}}', { lists: { a: [{ c: '1' }] } }],
    ['two lists in a line', '{{a.b}} {{c.b}}', { lists: { a: [{ b: '1' }], c: [{ b: '1' }] } }],
    ['a fragment with the name of a property', '{{a.b}}', { fragments: { b: '1' }, lists: { a: [{ b: '1' }] } }],
  ])('should reject %s', (_, text, placeholders) => {
    expect(() => fillPlaceholders(text, placeholders)).toThrow('placeholder');
  });
});
