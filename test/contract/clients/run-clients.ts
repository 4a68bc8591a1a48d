/*
 * Generates the clients, compiles them under `strict`, and runs them. A process of its own, because the generators don't
 * run inside Jest. Prints the compiler's messages by file, and what each client returned.
 */
import { readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import { generateSource } from 'oazapfts';
import openapiTypes, { astToString } from 'openapi-typescript';
import { generateApi } from 'swagger-typescript-api';
import ts from 'typescript';
import { build } from 'vite';
import { clients, problems } from './sources.js';

export interface ClientReport {
  /** The compiler's messages by file, without files that have none. */
  messages: Record<string, string[]>;
  outcomes: Record<string, unknown>;
}

const [folder = '', url = '', email = '', password = '', documentFile = ''] = process.argv.slice(2);
const inFolder = (file: string) => path.join(folder, file);
const input = inFolder('openapi.json');

async function generate(): Promise<void> {
  await writeFile(input, await (await fetch(`${url}/openapi.json`)).text());
  const types = await openapiTypes(pathToFileURL(input), {
    silent: true,
    // As its documentation recommends; by default, files are strings.
    transform: ({ format }) => (format === 'binary' ? ts.factory.createTypeReferenceNode('Blob') : undefined),
  });
  await writeFile(inFolder('openapi-typescript.ts'), astToString(types));
  await createClient({
    input,
    output: inFolder('hey-api'),
    logs: { level: 'silent' },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  });
  await generateApi({ input, output: folder, fileName: 'swagger-typescript-api.ts', silent: true });
  await writeFile(inFolder('oazapfts.ts'), await generateSource(input));
}

function compile(files: string[]): Record<string, string[]> {
  const program = ts.createProgram(files.map(inFolder), {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  });
  const messages: Record<string, string[]> = {};
  for (const { file, messageText } of ts.getPreEmitDiagnostics(program)) {
    const name = path.relative(folder, file?.fileName ?? folder);
    (messages[name] ??= []).push(ts.flattenDiagnosticMessageText(messageText, '\n'));
  }
  return messages;
}

async function runAll(): Promise<Record<string, unknown>> {
  const names = Object.keys(clients);
  await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: { ssr: true, rollupOptions: { input: names.map((name) => inFolder(`${name}.ts`)) } },
  });
  const document = new File([new Uint8Array(await readFile(documentFile))], 'document.pdf');
  const outcomes: Record<string, unknown> = {};
  for (const name of names) {
    const { run } = (await import(pathToFileURL(inFolder(`dist/${name}.js`)).href)) as {
      run: (settings: object) => Promise<unknown>;
    };
    outcomes[name] = await run({ url, email, password, document });
  }
  return outcomes;
}

await symlink(path.resolve('node_modules'), inFolder('node_modules'));
await writeFile(inFolder('package.json'), '{ "type": "module" }');
await generate();
const sources = [
  ...Object.entries(clients),
  ...problems.map(([source], index) => [`problem-${index}`, source] as const),
];
for (const [name, source] of sources) await writeFile(inFolder(`${name}.ts`), source);
const messages = compile(sources.map(([name]) => `${name}.ts`));
const report: ClientReport = { messages, outcomes: await runAll() };
process.stdout.write(JSON.stringify(report));
