import { type ReactNode, Suspense, useState } from 'react';
import type { Me } from '../../api/schema.js';
import { lazyComponent } from '../../lib/lazy-component.js';
import { useMe } from '../../session/me.js';
import { CenteredCard } from '../../ui/CenteredCard.js';

// Lazy, because most visits are to an installation with names.
const FirstNamesForm = lazyComponent(() => import('./FirstNamesForm.js'), 'FirstNamesForm');

const skippedNamesKey = 'keycard.skipped-first-names';
/** What a new installation starts with. */
const initialNames = { organization: 'Default', user: 'Administrator' };

/** After the first sign-in to a new installation, asks for names before it shows the page the user came for. */
export function FirstNames({ children }: { children: ReactNode }) {
  const me = useMe();
  const [isSkipped, setIsSkipped] = useState(() => localStorage.getItem(skippedNamesKey) !== null);
  if (isSkipped || !hasInitialNames(me)) return children;
  const skip = () => {
    localStorage.setItem(skippedNamesKey, 'yes');
    setIsSkipped(true);
  };
  return (
    <CenteredCard title="Welcome to Keycard">
      <Suspense>
        <FirstNamesForm onSkip={skip} />
      </Suspense>
    </CenteredCard>
  );
}

function hasInitialNames({ organization, user, permissions }: Me): boolean {
  const isNew = organization.name === initialNames.organization && user.name === initialNames.user;
  return isNew && permissions.includes('update-organization');
}
