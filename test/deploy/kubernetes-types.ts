import path from 'node:path';
import ts from 'typescript';
import { z } from 'zod';

const resourceSchema = z.looseObject({ apiVersion: z.string(), kind: z.string() });

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

/**
 * Compiles resources as literals of Kubernetes' types, which finds missing, misspelled and wrong fields.
 *
 * @returns the compiler's errors
 */
export function problemsInResources(resources: unknown[]): string[] {
  const file = path.resolve('resources.ts');
  const host = ts.createCompilerHost(options);
  const disk = ts.createCompilerHost(options);
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? ts.createSourceFile(file, resources.map(toDeclaration).join('\n'), ts.ScriptTarget.ES2022)
      : disk.getSourceFile(name, ...rest);
  host.fileExists = (name) => name === file || disk.fileExists(name);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

function toDeclaration(resource: unknown, index: number): string {
  const { apiVersion, kind } = resourceSchema.parse(resource);
  const [group = '', version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
  const type = `import('kubernetes-types/${group.split('.')[0]}/${version}').${kind}`;
  return `export const resource${index}: ${type} = ${JSON.stringify(resource)};`;
}
