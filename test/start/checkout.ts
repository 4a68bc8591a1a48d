import { spawnSync } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';

/** A copy of this checkout with these files and folders only, and its dependencies. */
export class Checkout {
  private constructor(private readonly folder: TemporaryFolder) {}

  static async copy(files: string[], isCopied: (file: string) => boolean = () => true): Promise<Checkout> {
    const folder = await makeTemporaryFolder();
    for (const file of ['package.json', 'package-lock.json', 'scripts', ...files]) {
      await cp(file, path.join(folder.path, file), { recursive: true, filter: isCopied });
    }
    await symlink(path.resolve('node_modules'), path.join(folder.path, 'node_modules'));
    return new Checkout(folder);
  }

  pathOf(file: string): string {
    return path.join(this.folder.path, file);
  }

  async write(file: string, content: string): Promise<void> {
    await mkdir(path.dirname(this.pathOf(file)), { recursive: true });
    await writeFile(this.pathOf(file), content);
  }

  /** Runs a module whose imports are relative to `scripts/lib`. */
  run(program: string) {
    const argv = ['--input-type=module', '--eval', program.replaceAll(`'./`, `'${this.pathOf('scripts/lib')}/`)];
    const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
    return { status, stdout, stderr };
  }

  remove(): Promise<void> {
    return this.folder.remove();
  }
}
