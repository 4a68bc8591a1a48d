import {
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
  type SearchMiddleware,
  type SearchSchemaInput,
  stripSearchParams,
} from '@tanstack/react-router';
import type { ServedModel } from './api/schema.js';
import { preloadApiKeys } from './common/api-keys/api-keys.js';
import { apiKeysSearchDefaults, readApiKeysSearch } from './common/api-keys/search.js';
import { readAuditLogSearch } from './features/audit-log/search.js';
import { preloadOverview } from './features/overview/overview.js';
import { membersSearchDefaults, readMembersSearch } from './features/members/search.js';
import { readTask } from './features/playground/search.js';
import { readSignInSearch, signInSearchDefaults } from './features/sign-in/search.js';
import { SignInPage } from './features/sign-in/SignInPage.js';
import {
  type ApiKeySearch,
  readApiKeySearch,
  readUsageSearch,
  readUsageSectionSearch,
  usageSearchDefaults,
  type UsageSectionSearch,
  usageSectionDefaults,
} from './features/usage/search.js';
import { DashboardLayout } from './layout/DashboardLayout.js';
import { ErrorPage, NotFoundPage, PageError } from './layout/ErrorPage.js';
import { lazyComponent } from './lib/lazy-component.js';
import { focusMain } from './lib/restore-focus.js';
import { readText } from './lib/search-parameters.js';
import { requireSession, skipSignIn, takeInvitationToken, takeResetToken } from './route-guards.js';

const root = createRootRoute();
const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => redirect({ to: '/dashboard', throw: true }),
});
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readSignInSearch,
  search: { middlewares: [stripSearchParams(signInSearchDefaults)] },
  beforeLoad: skipSignIn,
  component: SignInPage,
  errorComponent: ErrorPage,
});
const acceptInvitation = createRoute({
  getParentRoute: () => root,
  path: '/accept-invitation',
  // The code of the error if single sign-on failed. The token is in the fragment.
  validateSearch: ({ error }: { error?: string } & SearchSchemaInput) => ({ error: readText(error) }),
  beforeLoad: takeInvitationToken,
  component: lazyComponent(
    () => import('./features/invitations/accept/AcceptInvitationPage.js'),
    'AcceptInvitationPage',
  ),
  errorComponent: ErrorPage,
});
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  beforeLoad: takeResetToken,
  component: lazyComponent(() => import('./features/password-reset/ResetPasswordPage.js'), 'ResetPasswordPage'),
  errorComponent: ErrorPage,
});
const dashboard = createRoute({
  getParentRoute: () => root,
  path: '/dashboard',
  beforeLoad: requireSession,
  component: DashboardLayout,
  // Rendered from the start, see main.tsx.
  pendingMs: Infinity,
  errorComponent: ErrorPage,
});
const signedIn = createRoute({
  getParentRoute: () => root,
  path: '/dashboard/signed-in',
  beforeLoad: requireSession,
  component: lazyComponent(() => import('./features/sign-in/SignedInPage.js'), 'SignedInPage'),
  errorComponent: ErrorPage,
});
const overview = createRoute({
  getParentRoute: () => dashboard,
  path: '/',
  loader: preloadOverview,
  component: lazyComponent(() => import('./pages/OverviewPage.js'), 'OverviewPage'),
});
const apiKeys = createRoute({
  getParentRoute: () => dashboard,
  path: '/keys',
  validateSearch: readApiKeysSearch,
  search: { middlewares: [stripSearchParams(apiKeysSearchDefaults)] },
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => preloadApiKeys(deps),
  component: lazyComponent(() => import('./features/api-keys/list/ApiKeysPage.js'), 'ApiKeysPage'),
});
const stripUsageDefaults: SearchMiddleware<UsageSectionSearch> = stripSearchParams(usageSectionDefaults);
const usageSection = { validateSearch: readUsageSectionSearch, search: { middlewares: [stripUsageDefaults] } };
const stripApiKeyDefaults: SearchMiddleware<ApiKeySearch> = stripSearchParams(usageSectionDefaults);
const apiKey = createRoute({
  getParentRoute: () => dashboard,
  path: '/keys/$id',
  validateSearch: readApiKeySearch,
  search: { middlewares: [stripApiKeyDefaults] },
  component: lazyComponent(() => import('./pages/ApiKeyPage.js'), 'ApiKeyPage'),
});
const usage = createRoute({
  getParentRoute: () => dashboard,
  path: '/usage',
  validateSearch: readUsageSearch,
  search: { middlewares: [stripSearchParams(usageSearchDefaults)] },
  component: lazyComponent(() => import('./features/usage/UsagePage.js'), 'UsagePage'),
});
const models = createRoute({
  getParentRoute: () => dashboard,
  path: '/models',
  component: lazyComponent(() => import('./features/models/ModelsPage.js'), 'ModelsPage'),
});
const playground = createRoute({
  getParentRoute: () => dashboard,
  path: '/playground',
  validateSearch: ({ task }: { task?: ServedModel['task'] | undefined } & SearchSchemaInput) => ({
    task: readTask(task),
  }),
  component: lazyComponent(() => import('./features/playground/PlaygroundPage.js'), 'PlaygroundPage'),
});
const members = createRoute({
  getParentRoute: () => dashboard,
  path: '/members',
  validateSearch: readMembersSearch,
  search: { middlewares: [stripSearchParams(membersSearchDefaults)] },
  component: lazyComponent(() => import('./pages/MembersPage.js'), 'MembersPage'),
});
const person = createRoute({
  getParentRoute: () => dashboard,
  path: '/members/$id',
  ...usageSection,
  component: lazyComponent(() => import('./pages/PersonPage.js'), 'PersonPage'),
});
const serviceAccount = createRoute({
  getParentRoute: () => dashboard,
  path: '/members/service-accounts/$id',
  ...usageSection,
  component: lazyComponent(() => import('./pages/ServiceAccountPage.js'), 'ServiceAccountPage'),
});
const roles = createRoute({
  getParentRoute: () => dashboard,
  path: '/roles',
  component: lazyComponent(() => import('./features/roles/RolesPage.js'), 'RolesPage'),
});
const webhooks = createRoute({
  getParentRoute: () => dashboard,
  path: '/webhooks',
  component: lazyComponent(() => import('./features/webhooks/WebhooksPage.js'), 'WebhooksPage'),
});
const webhook = createRoute({
  getParentRoute: () => dashboard,
  path: '/webhooks/$id',
  component: lazyComponent(() => import('./features/webhooks/WebhookPage.js'), 'WebhookPage'),
});
const auditLog = createRoute({
  getParentRoute: () => dashboard,
  path: '/audit-log',
  validateSearch: readAuditLogSearch,
  component: lazyComponent(() => import('./features/audit-log/AuditLogPage.js'), 'AuditLogPage'),
});
const organization = createRoute({
  getParentRoute: () => dashboard,
  path: '/organization',
  component: lazyComponent(() => import('./features/organization/OrganizationPage.js'), 'OrganizationPage'),
});
const account = createRoute({
  getParentRoute: () => dashboard,
  path: '/account',
  component: lazyComponent(() => import('./features/account/AccountPage.js'), 'AccountPage'),
});
/** The previous URL of the account page. */
const sessions = createRoute({
  getParentRoute: () => dashboard,
  path: '/sessions',
  beforeLoad: () => redirect({ to: '/dashboard/account', replace: true, throw: true }),
});

/** All pages and their URLs. Only the sign-in page is part of the first download, with the overview right after it. */
export const router = createRouter({
  routeTree: root.addChildren([
    start,
    signIn,
    acceptInvitation,
    resetPassword,
    signedIn,
    dashboard.addChildren([
      overview,
      apiKeys,
      apiKey,
      usage,
      models,
      playground,
      members,
      person,
      serviceAccount,
      roles,
      webhooks,
      webhook,
      auditLog,
      organization,
      account,
      sessions,
    ]),
  ]),
  defaultPreload: 'intent',
  // The layout is rendered while the first page is being downloaded.
  defaultPendingMs: 0,
  defaultPendingMinMs: 0,
  defaultPendingComponent: () => null,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
});

router.subscribe('onRendered', () => {
  // Later, the previous page stays until the next one is downloaded.
  router.options.defaultPendingMs = Infinity;
});

// If the focused element was part of the previous page, the Tab key enters the content of the next one.
router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
  if (fromLocation !== undefined && pathChanged && document.activeElement === document.body) focusMain();
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
