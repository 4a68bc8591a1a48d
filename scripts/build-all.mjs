// `npm run build:all`
import { buildAll, isAllBuilt } from './lib/build.mjs';
import { install, isInstalled } from './lib/install.mjs';
import { exclusively } from './lib/lock.mjs';
import { step } from './lib/project.mjs';

await step(() =>
  exclusively(async () => {
    if (!isInstalled('all')) await install('all');
    if (!isAllBuilt()) await buildAll();
  }),
);
