import { Suspense, useState } from 'react';
import type { Me } from '../../api/schema.js';
import { lazyComponent } from '../../lib/lazy-component.js';
import { useMe } from '../../session/me.js';

const FirstNamesModal = lazyComponent(() => import('./FirstNamesModal.js'), 'FirstNamesModal');

const skippedNamesKey = 'keycard.skipped-first-names';
/** What a new installation starts with. */
const initialNames = { organization: 'Default', user: 'Administrator' };

/** Loads the dialog along with the page behind it, if it will be shown. */
export function preloadFirstNames(me: Me): void {
  if (needsNames(me)) void FirstNamesModal.preload?.();
}

/** Asks for names after the first sign-in to a new installation, until the user skips it in this browser. */
export function FirstNames() {
  const me = useMe();
  const [isSkipped, setIsSkipped] = useState(false);
  if (isSkipped || !needsNames(me)) return null;
  const skip = () => {
    localStorage.setItem(skippedNamesKey, 'yes');
    setIsSkipped(true);
  };
  return (
    <Suspense>
      <FirstNamesModal isOpen onClose={skip} />
    </Suspense>
  );
}

function needsNames({ organization, user, permissions }: Me): boolean {
  const isNew = organization.name === initialNames.organization && user.name === initialNames.user;
  return isNew && permissions.includes('update-organization') && localStorage.getItem(skippedNamesKey) === null;
}
