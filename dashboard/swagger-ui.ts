import type { Plugin } from 'vite';

/** Resolve references and download documents. `src/docs/resolve-references.ts` does their work. */
const resolvers = /^swagger-client\/es\/(resolver|subtree-resolver)(\/|$)/;
const noResolver = '\0keycard:no-resolver';
const noResolverCode = `
  const unused = () => { throw new Error('The reference resolves by fastResolver in reference.ts.'); };
  export const makeResolve = () => unused;
  export const makeResolveSubtree = () => unused;
  export default unused;
`;

/** Builds Swagger UI for React 19, and without its resolvers, which are a quarter of its code. */
export function swaggerUi(): Plugin {
  return {
    name: 'keycard:swagger-ui',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!importer?.includes('/swagger-ui/')) return null;
      if (resolvers.test(source)) return noResolver;
      // It imports `createRoot` from where React 18 had it, too.
      return source === 'react-dom' ? this.resolve('react-dom/client', importer) : null;
    },
    load: (id) => (id === noResolver ? noResolverCode : null),
  };
}
