import type { Plugin } from 'vite';

interface Replacement {
  /** What Swagger UI and its client import. */
  source: RegExp;
  code: string;
}

/** Modules that Swagger UI doesn't need here, or only a fraction of: together, more than half of its libraries. */
const replacements: Replacement[] = [
  {
    // Resolve references and download documents. `src/docs/resolve-references.ts` does their work.
    source: /^swagger-client\/es\/(resolver|subtree-resolver)(\/|$)/,
    code: `
      const unused = () => { throw new Error('The reference resolves by fastResolver in reference.ts.'); };
      export const makeResolve = () => unused;
      export const makeResolveSubtree = () => unused;
      export default unused;
    `,
  },
  {
    // The API speaks only JSON.
    source: /^js-yaml$/,
    code: `
      export const JSON_SCHEMA = undefined;
      export const load = (text) => JSON.parse(text);
      export const dump = (value) => JSON.stringify(value, null, 2);
      export default { JSON_SCHEMA, load, dump };
    `,
  },
  {
    // Fills parameters into paths, with a parser of the whole grammar. Paths of the API have only plain parameters.
    source: /^openapi-path-templating$/,
    code: `
      export const resolve = (path, values, { encoder }) =>
        path.replace(/\\{([^{}]+)\\}/g, (part, name) => (Object.hasOwn(values, name) ? encoder(values[name], name) : part));
    `,
  },
  {
    // Fills variables into the URLs of servers. The only server is this one.
    source: /^openapi-server-url-templating$/,
    code: `
      export const test = () => false;
      export const substitute = (url) => url;
    `,
  },
  {
    // Serializes cookies, which pages can't set.
    source: /\/helpers\/cookie\.js$/,
    code: `export const serialize = () => '';`,
  },
  {
    // Finds URLs in plain text. Descriptions have Markdown links.
    source: /^remarkable\/linkify$/,
    code: 'export const linkify = () => undefined;',
  },
  {
    // Encodes text as Base64, with Node's Buffer.
    source: /^to-buffer$/,
    code: `
      export default (text) => ({ toString: () => btoa(String.fromCodePoint(...new TextEncoder().encode(text))) });
    `,
  },
  { source: /^@swagger-api\/apidom-error$/, code: 'export class ApiDOMStructuredError extends Error {}' },
  // Substitutes for what every browser has.
  { source: /^@babel\/runtime-corejs3\/helpers\/extends$/, code: 'export default Object.assign;' },
  {
    source: /^@babel\/runtime-corejs3\/core-js-stable\/instance\/includes$/,
    code: 'export default (list) => list.includes;',
  },
];

const prefix = '\0keycard:swagger-ui:';

/** Builds Swagger UI for React 19, and without most of its libraries. */
export function swaggerUi(): Plugin {
  return {
    name: 'keycard:swagger-ui',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!/\/node_modules\/swagger-(ui|client)\//.test(importer ?? '')) return null;
      const index = replacements.findIndex((replacement) => replacement.source.test(source));
      if (index >= 0) return `${prefix}${index}`;
      // It imports `createRoot` from where React 18 had it, too.
      return source === 'react-dom' ? this.resolve('react-dom/client', importer) : null;
    },
    load: (id) => (id.startsWith(prefix) ? (replacements[Number(id.slice(prefix.length))]?.code ?? null) : null),
  };
}
