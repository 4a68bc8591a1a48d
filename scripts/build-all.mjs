// `npm run build:all`
import { buildAll, isAllBuilt } from './lib/build.mjs';
import { exclusively } from './lib/lock.mjs';
import { step } from './lib/project.mjs';

await step(() => exclusively(async () => isAllBuilt() || (await buildAll())));
