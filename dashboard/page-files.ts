import type { Plugin, Rolldown } from 'vite';

/** The pages that most visits open, by path. A browser test checks that their files are requested. */
const pages = {
  '/dashboard': 'src/pages/OverviewPage.tsx',
  '/dashboard/keys': 'src/features/api-keys/list/ApiKeysPage.tsx',
  '/dashboard/usage': 'src/features/usage/UsagePage.tsx',
};

/** Stands in `index.html` for the files of these pages. */
const placeholder = 'PAGE_FILES';

/**
 * Writes into `index.html` what these pages need besides the first scripts. Otherwise, browsers learn of these files only
 * once the first ones have run, which takes half a second longer on a slow phone.
 */
export function pageFiles(): Plugin {
  return {
    name: 'keycard:page-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle, chunk }) => {
        if (!html.includes(placeholder) || bundle === undefined || chunk === undefined) return html;
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const known = new Set(filesOf(chunk, chunks));
        const files = Object.entries(pages).map(([url, source]) => {
          const page = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/${source}`));
          return [url, page && filesOf(page, chunks).filter((file) => !known.has(file))];
        });
        return html.replace(placeholder, JSON.stringify(Object.fromEntries(files)));
      },
    },
  };
}

/** The script and style sheets of a chunk and of everything it imports statically. */
function filesOf(
  chunk: Rolldown.OutputChunk,
  chunks: readonly Rolldown.OutputChunk[],
  found = new Set<string>(),
): string[] {
  if (!found.has(chunk.fileName)) {
    found.add(chunk.fileName);
    for (const sheet of chunk.viteMetadata?.importedCss ?? []) found.add(sheet);
    for (const imported of chunks) if (chunk.imports.includes(imported.fileName)) filesOf(imported, chunks, found);
  }
  return [...found];
}
