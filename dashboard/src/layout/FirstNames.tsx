import { Suspense, useState } from 'react';
import { lazyComponent } from '../lib/lazy-component.js';
import { useMe } from '../session/me.js';

const FirstNamesModal = lazyComponent(() => import('../features/organization/FirstNamesModal.js'), 'FirstNamesModal');

const storageKey = 'keycard.skipped-first-names';
/** What a new installation starts with. */
const initial = { organization: 'Default', user: 'Administrator' };

/** Asks for names after the first sign-in to a new installation, until the user skips it in this browser. */
export function FirstNames() {
  const { organization, user, permissions } = useMe();
  const [isSkipped, setIsSkipped] = useState(() => localStorage.getItem(storageKey) !== null);
  const isNew = organization.name === initial.organization && user.name === initial.user;
  if (!isNew || isSkipped || !permissions.includes('update-organization')) return null;
  const skip = () => {
    localStorage.setItem(storageKey, 'yes');
    setIsSkipped(true);
  };
  return (
    <Suspense>
      <FirstNamesModal isOpen onClose={skip} />
    </Suspense>
  );
}
