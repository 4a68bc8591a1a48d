// The first half of `npm run build`.
import { build, isBuilt } from './lib/build.mjs';
import { exclusively } from './lib/lock.mjs';
import { step } from './lib/project.mjs';

await step(() => exclusively(async () => isBuilt() || (await build())));
