// Run it as a program, with two arguments: the folder of the compiled modules, and the folder of the bundle.
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { rolldown } from 'rolldown';

import { filesBelow } from './fingerprint.mjs';
import { projectFolder } from './project.mjs';

/** Folders of compiled modules, and where they are in the bundle. */
const folders = { src: '', 'document-reader/src': 'document-reader' };

/** Programs, and the modules that instances and workers run. */
const entries = /^(main|admin|cluster\/instance|(engines|document-reader)\/(.+\/)?worker(\/main|\/watch-parent)?)\.js$/;

/** Packages with native code or files that they read, and those that other packages look up by name. */
const external = [
  /^@huggingface\//,
  /^@node-rs\//,
  '@hyzyla/pdfium',
  'eld/extrasmall',
  'onnxruntime-node',
  'pg',
  'pino',
  'piscina',
  'sharp',
];

/** Optional dependencies of bundled packages, which Keycard doesn't use. */
const missing = [/^@nestjs\/(microservices|platform-express|websockets)/, /^@fastify\/(multipart|view)$/, 'pg-native'];

/** Modules that packages import and Keycard doesn't use: other databases, phone numbers, and other languages' messages. */
const unused = [
  /\/typeorm\/driver\/(?!postgres\/)[^/]+\/\w+(Driver|QueryRunner)\.js$/,
  /\/libphonenumber-js\//,
  /\/zod\/v4\/locales\/(?!en\.|index\.)/,
];

const isNestPackage = /node_modules\/@nestjs\/(mapped-types|typeorm)\//;

/**
 * Bundles compiled modules and their packages into a few files, because finding, reading and compiling two thousand
 * files would take most of the start.
 *
 * @param from the folder of the compiled modules
 * @param to emptied first
 */
async function bundle(from, to) {
  const modules = compiledModules(from);
  const inputs = [...modules].filter(([, name]) => entries.test(name));
  const build = await rolldown({
    input: Object.fromEntries(inputs.map(([file, name]) => [name.slice(0, -'.js'.length), file])),
    platform: 'node',
    external: [...external, ...missing],
    plugins: [readOwnModules(modules), emptyUnused, readPackages],
  });
  await build.write({
    dir: to,
    cleanDir: true,
    chunkFileNames: 'chunks/[name].js',
    intro: ({ fileName }) => `const compiledFolder = new URL('${folderFrom(fileName)}', import.meta.url);`,
    // Nest, TypeORM and the OpenAPI document use the names of classes.
    keepNames: true,
    // Node keeps the source text in memory.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    sourcemap: true,
    sourcemapExcludeSources: true,
  });
  await build.close();
  copyStatements(path.join(to, 'sql'));
}

/** `src/database/sql-file.ts` reads them when its module is loaded. */
function copyStatements(to) {
  const sources = path.join(projectFolder, 'src');
  const statements = filesBelow(sources).filter((file) => file.endsWith('.sql'));
  for (const file of statements) cpSync(path.join(sources, file), path.join(to, file));
}

/** Returns the compiled modules, and where each would be in the bundle. */
function compiledModules(from) {
  const modules = Object.entries(folders).flatMap(([folder, target]) =>
    filesBelow(path.join(from, folder)).map((file) => [path.join(from, folder, file), path.posix.join(target, file)]),
  );
  return new Map(modules);
}

/** The URL of the bundle's folder, relative to one of its files. */
function folderFrom(file) {
  return `./${'../'.repeat(file.split('/').length - 1)}`;
}

/** Maps our modules to their sources, and lets them find files relative to where they were compiled. */
function readOwnModules(modules) {
  return {
    name: 'own-modules',
    load(file) {
      const name = modules.get(file);
      if (name === undefined) return undefined;
      const url = `new URL(${JSON.stringify(name)}, compiledFolder).href`;
      return {
        code: readFileSync(file, 'utf8').replaceAll('import.meta.url', url),
        map: JSON.parse(readFileSync(`${file}.map`, 'utf8')),
      };
    },
  };
}

/** Empties modules that would take memory, and time to compile. */
const emptyUnused = {
  name: 'unused',
  load: { filter: { id: unused }, handler: () => ({ code: 'module.exports = {};' }) },
};

/**
 * Leaves packages out of source maps, which would be ten times as large, and bundles what Nest's packages load with
 * `require`, which would be a second copy.
 */
const readPackages = {
  name: 'packages',
  transform: {
    filter: { id: /node_modules/ },
    handler: (code, file) => ({
      code: isNestPackage.test(file) ? code.replace('const require = createRequire(import.meta.url);', '') : code,
      map: { mappings: '' },
    }),
  },
};

await bundle(...process.argv.slice(2));
