import { type ReactNode, Suspense, useState } from 'react';
import type { Me } from '../../api/schema.js';
import { lazyComponent } from '../../lib/lazy-component.js';
import { useMe } from '../../session/me.js';

const FirstNamesPage = lazyComponent(() => import('./FirstNamesPage.js'), 'FirstNamesPage');

const skippedNamesKey = 'keycard.skipped-first-names';
/** What a new installation starts with. */
const initialNames = { organization: 'Default', user: 'Administrator' };

/** Loads the form along with the page the user came for, if it will be shown. */
export function preloadFirstNames(me: Me): void {
  if (hasInitialNames(me) && !wasSkipped()) void FirstNamesPage.preload?.();
}

/** After the first sign-in to a new installation, asks for names before it shows the page the user came for. */
export function FirstNames({ children }: { children: ReactNode }) {
  const me = useMe();
  const [isSkipped, setIsSkipped] = useState(wasSkipped);
  if (isSkipped || !hasInitialNames(me)) return children;
  const skip = () => {
    localStorage.setItem(skippedNamesKey, 'yes');
    setIsSkipped(true);
  };
  return (
    <Suspense>
      <FirstNamesPage onSkip={skip} />
    </Suspense>
  );
}

function hasInitialNames({ organization, user, permissions }: Me): boolean {
  const isNew = organization.name === initialNames.organization && user.name === initialNames.user;
  return isNew && permissions.includes('update-organization');
}

/** Whether the user chose not to give names in this browser. */
function wasSkipped(): boolean {
  return localStorage.getItem(skippedNamesKey) !== null;
}
