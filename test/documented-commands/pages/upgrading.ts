import { createEmptyDatabase, toUrl } from '../../setup/test-database.js';
import { acceptsKey, openInstallation, setVariables, start, stop } from '../installation.js';
import { type Page, withCleanup } from '../page.js';

const isReady = /Keycard is ready/;

/** A repository whose `main` has a later commit than the tag of the release that is running. */
const publishNextRelease = `
export GIT_AUTHOR_NAME='A tester' GIT_AUTHOR_EMAIL=tester@example.com
export GIT_COMMITTER_NAME='A tester' GIT_COMMITTER_EMAIL=tester@example.com
git init --quiet --initial-branch=main
git add --all
git commit --quiet --message 'chore(release): 0.1.0'
git tag v0.1.0
git clone --quiet --bare . ../origin.git
git clone --quiet ../origin.git ../developer
echo changed >> ../developer/README.md
git -C ../developer commit --quiet --all --message 'chore(release): 0.2.0'
git -C ../developer push --quiet
git remote add origin ../origin.git
git fetch --quiet
git branch --quiet --set-upstream-to=origin/main
`;

export const upgradingPage: Page = {
  file: 'docs/upgrading.md',
  open: async () => {
    const owned = await createEmptyDatabase();
    const place = await openInstallation();
    expect(await place.terminal.run(publishNextRelease)).toMatchObject({ status: 0 });
    await start(place);
    await setVariables(place);
    await place.terminal.set({ OWNER_URL: toUrl(owned.connection) });
    return withCleanup(place, owned.drop);
  },
  steps: [
    { prints: /\w+\d{13}/ },
    { before: stop, prints: isReady, after: acceptsKey },
    { before: stop, prints: isReady, after: acceptsKey },
  ],
};
