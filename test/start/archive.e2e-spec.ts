import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';

/** Aren't in git. */
const generated = ['.git', 'build', 'coverage', 'dist', 'node_modules', 'release', path.join('dashboard', 'dist')];

let folder: TemporaryFolder;
let files: string[];
beforeAll(async () => {
  folder = await makeTemporaryFolder();
  cpSync('.', folder.path, { recursive: true, filter: (source) => !generated.includes(source) });
  const module = path.resolve('scripts/lib/archive-files.mjs');
  const program = `import { keepShipped } from ${JSON.stringify(module)}; keepShipped(process.argv[1]);`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', program, folder.path]);
  const entries = readdirSync(folder.path, { recursive: true, withFileTypes: true });
  files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder.path, path.join(entry.parentPath, entry.name)));
});
afterAll(() => folder.remove());

describe('The archive', () => {
  it('should contain what runs and what operators read, but no sources and tests that nothing links to', () => {
    expect(files).toEqual(
      expect.arrayContaining(['README.md', 'package.json', 'docs/operations.md', 'scripts/admin.mjs', '.env.example']),
    );
    for (const file of ['src/main.ts', 'test/docs/docs.spec.ts', 'eslint.config.mjs', 'scripts/archive.mjs']) {
      expect(existsSync(file)).toBe(true);
      expect(files).not.toContain(file);
    }
  });

  it('should contain the target of every link in its documents', () => {
    const documents = files.filter((file) => file.endsWith('.md'));
    expect(documents).toContain('docs/scaling.md');
    const broken = documents.flatMap((document) => {
      // Without code, which may contain brackets.
      const text = readFileSync(path.join(folder.path, document), 'utf8').replaceAll(
        /^```[\s\S]*?^```$|`[^`\n]*`/gm,
        '',
      );
      const targets = [...text.matchAll(/\]\(([^)\s#]+)/g)].map(([, target = '']) => target);
      return targets
        .filter((target) => !/^[a-z]+:/.test(target))
        .filter((target) => !existsSync(path.join(folder.path, path.dirname(document), target)))
        .map((target) => `${document}: ${target}`);
    });
    expect(broken).toEqual([]);
  });
});
