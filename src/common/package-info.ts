import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Root of the project, wherever the compiled file is below it. */
export const projectFolder = findProjectFolder(import.meta.dirname);

/** Version in package.json. */
export const { version } = JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8')) as {
  version: string;
};

function findProjectFolder(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : findProjectFolder(path.dirname(folder));
}
