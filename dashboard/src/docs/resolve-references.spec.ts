import { resolveSubtree } from './resolve-references.js';

const document = {
  paths: { '/roles': { get: { schema: { $ref: '#/components/schemas/Role', description: 'The role.' } } } },
  components: {
    schemas: {
      Role: { type: 'object', description: 'A role.', items: [{ $ref: '#/components/schemas/a~1b' }] },
      'a/b': { type: 'string' },
      Tree: { children: { $ref: '#/components/schemas/Tree' } },
    },
  },
};

describe('resolveSubtree', () => {
  it('should replace references, also nested ones, and keep what stands next to them', () => {
    expect(resolveSubtree(document, ['paths', '/roles', 'get'])).toEqual({
      schema: { type: 'object', description: 'The role.', items: [{ type: 'string' }] },
    });
  });

  it('should follow a reference that leads back to itself once', () => {
    expect(resolveSubtree(document, ['components', 'schemas', 'Tree'])).toEqual({
      children: { children: { $ref: '#/components/schemas/Tree' } },
    });
  });

  it('should return null for a path that leads nowhere', () => {
    expect(resolveSubtree(document, ['paths', '/members', 'get'])).toBeNull();
  });
});
