// Installs what `npm run lint` and others need, which `npm start` doesn't install.
import { install, isInstalled } from './lib/install.mjs';
import { exclusively } from './lib/lock.mjs';
import { step } from './lib/project.mjs';

await step(() => exclusively(async () => isInstalled('all') || (await install('all'))));
