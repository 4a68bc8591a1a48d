import type { Plugin } from 'vite';

/** Resolve references and download documents. `src/docs/resolve-references.ts` does their work. */
const resolvers = /^swagger-client\/es\/(resolver|subtree-resolver)(\/|$)/;

/** What stands in for modules of Swagger UI, by id. */
const replacements: Record<string, string> = {
  '\0keycard:no-resolver': `
    const unused = () => { throw new Error('The reference resolves by fastResolver in reference.ts.'); };
    export const makeResolve = () => unused;
    export const makeResolveSubtree = () => unused;
    export default unused;
  `,
  // The API speaks only JSON.
  '\0keycard:json-as-yaml': `
    export const JSON_SCHEMA = undefined;
    export const load = (text) => JSON.parse(text);
    export const dump = (value) => JSON.stringify(value, null, 2);
    export default { JSON_SCHEMA, load, dump };
  `,
};

/** Builds Swagger UI for React 19, and without its resolvers and YAML, which are a third of its code. */
export function swaggerUi(): Plugin {
  return {
    name: 'keycard:swagger-ui',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!/\/node_modules\/swagger-(ui|client)\//.test(importer ?? '')) return null;
      if (resolvers.test(source)) return '\0keycard:no-resolver';
      if (source === 'js-yaml') return '\0keycard:json-as-yaml';
      // It imports `createRoot` from where React 18 had it, too.
      return source === 'react-dom' ? this.resolve('react-dom/client', importer) : null;
    },
    load: (id) => replacements[id] ?? null,
  };
}
