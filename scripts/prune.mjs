// Makes this built checkout smaller, for the image: it can then be run, but neither built nor tested.
import { prune } from './lib/prune.mjs';
import { projectFolder, step } from './lib/project.mjs';

await step(() => prune(projectFolder));
