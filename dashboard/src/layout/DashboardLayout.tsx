import { Alert, Anchor, AppShell, Burger, Group, NavLink, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconExternalLink, IconPlugConnectedX } from '@tabler/icons-react';
import { Link, Outlet } from '@tanstack/react-router';
import { type KeyboardEvent, Suspense, useEffect, useRef } from 'react';
import { reachability } from '../api/reachability.js';
import { useStore } from '../api/store.js';
import { FirstNames } from '../features/organization/FirstNames.js';
import { lazyComponent } from '../lib/lazy-component.js';
import { MeProvider, useMe } from '../session/me.js';
import { session } from '../session/session.js';
import classes from './DashboardLayout.module.css';
import { Logo } from '../ui/Logo.js';
import { allowedGroups, type NavigationEntry } from '../common/navigation.js';
import { OrganizationSwitcher } from './OrganizationSwitcher.js';
import { PasswordRemovedAlert } from './PasswordRemovedAlert.js';
import { SearchButton } from './SearchButton.js';
import { UserMenu } from './UserMenu.js';

// Lazy, because the first view shows none of them.
const Toasts = lazyComponent(() => import('./Toasts.js'), 'Toasts');
const ExactTimes = lazyComponent(() => import('../ui/ExactTimes.js'), 'ExactTimes');
const SignInAgain = lazyComponent(() => import('../features/sign-in/SignInAgain.js'), 'SignInAgain');

const mainId = 'main';

/** The layout of all pages for signed-in users. */
export function DashboardLayout() {
  return (
    <MeProvider>
      <FirstNames>
        <PageWithNavigation />
      </FirstNames>
      <Suspense>
        {useStore(session.status) === 'ended' && <SignInAgain />}
        <Toasts />
      </Suspense>
    </MeProvider>
  );
}

function PageWithNavigation() {
  const { organization } = useMe();
  const { isOpen, open, close, closeOnEscape, openButton, closeButton } = useMobileMenu();
  return (
    <AppShell
      layout="alt"
      header={{ height: { base: 56, sm: 0 } }}
      navbar={{ width: 248, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <SkipLink />
      <AppShell.Header hiddenFrom="sm" px="md" className={classes.header}>
        <Group h="100%" gap="sm" wrap="nowrap">
          <Logo />
          <Text size="sm" c="dimmed" truncate flex={1} ta="right" title={organization.name}>
            {organization.name}
          </Text>
          <Burger ref={openButton} onClick={open} size="sm" aria-label="Menu" />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        p="md"
        aria-label="Pages"
        className={classes.navbar}
        data-open={isOpen || undefined}
        onKeyDown={closeOnEscape}
      >
        <Group justify="space-between" mb="md">
          <Logo />
          <Burger ref={closeButton} opened onClick={close} size="sm" hiddenFrom="sm" aria-label="Close menu" />
        </Group>
        <OrganizationSwitcher onNavigate={close} />
        <SearchButton onNavigate={close} />
        <div className={classes.pages}>
          <Navigation onNavigate={close} />
        </div>
        <UserMenu onNavigate={close} />
      </AppShell.Navbar>
      <AppShell.Main className={classes.main} id={mainId} tabIndex={-1}>
        <ConnectionAlert />
        <PasswordRemovedAlert />
        {/* The key resets the state of pages when the user switches organizations. */}
        <Outlet key={organization.id} />
        <Suspense>
          <ExactTimes />
        </Suspense>
      </AppShell.Main>
    </AppShell>
  );
}

/** Moves the focus past the navigation. Visible while it has the focus. */
function SkipLink() {
  return (
    <Anchor href={`#${mainId}`} className={classes.skipLink}>
      Skip to content
    </Anchor>
  );
}

/** In narrow windows, the navigation is a menu that covers the page and takes the focus while open. */
function useMobileMenu() {
  const openButton = useRef<HTMLButtonElement>(null);
  const closeButton = useRef<HTMLButtonElement>(null);
  const [isOpen, { open, close }] = useDisclosure(false, { onClose: () => openButton.current?.focus() });
  useEffect(() => {
    if (isOpen) closeButton.current?.focus();
  }, [isOpen]);
  const closeOnEscape = ({ key, target, currentTarget }: KeyboardEvent) => {
    // React also bubbles events of nested menus, whose DOM nodes are outside this one. Escape closes only these menus.
    if (key === 'Escape' && target instanceof Node && currentTarget.contains(target)) close();
  };
  return { isOpen, open, close, closeOnEscape, openButton, closeButton };
}

function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const { permissions } = useMe();
  return (
    <>
      {allowedGroups(permissions).map(({ label, entries }) => (
        <div key={entries[0]?.to} role="group" aria-label={label} className={classes.group}>
          {label !== undefined && (
            <Text size="xs" fw={600} c="dimmed" className={classes.groupLabel} aria-hidden>
              {label}
            </Text>
          )}
          {entries.map((entry) => (
            <PageLink key={entry.to} entry={entry} onNavigate={onNavigate} />
          ))}
        </div>
      ))}
      <div className={classes.group}>
        <NavLink
          className={classes.link}
          component="a"
          href="/docs"
          target="_blank"
          rel="noreferrer"
          label="Docs"
          leftSection={<IconExternalLink size={18} aria-hidden />}
        />
      </div>
    </>
  );
}

function PageLink({
  entry: { label, to, icon: Icon },
  onNavigate,
}: {
  entry: NavigationEntry;
  onNavigate: () => void;
}) {
  return (
    <NavLink
      className={classes.link}
      renderRoot={(props) => (
        <Link
          to={to}
          {...props}
          // All pages are below the overview.
          activeOptions={{ exact: to === '/dashboard' }}
          activeProps={{ 'data-active': true, 'aria-current': 'page' }}
        />
      )}
      label={label}
      leftSection={<Icon size={18} aria-hidden />}
      onClick={onNavigate}
    />
  );
}

/** Shown during an outage. Data refreshes when the service is back. */
function ConnectionAlert() {
  if (useStore(reachability) === 'reachable') return null;
  return (
    <Alert color="orange" icon={<IconPlugConnectedX />} mb="md" role="status">
      Can&apos;t reach Keycard. Reconnecting…
    </Alert>
  );
}
