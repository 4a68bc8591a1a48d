// Makes this built copy of the project smaller, for the image: it can then be run, but neither built nor tested.
import { existsSync } from 'node:fs';
import path from 'node:path';

import { prune } from './lib/prune.mjs';
import { projectFolder, step } from './lib/project.mjs';

if (existsSync(path.join(projectFolder, '.git'))) {
  console.error('This is a checkout, which would lose its packages and types. Run this in a copy without .git.');
  process.exit(1);
}
await step(() => prune(projectFolder));
