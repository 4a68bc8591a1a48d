import { sessionMarkName } from '@rules/session-mark.js';
import { bearerHeader, publicApi } from '../api/public-api.js';
import type { AccessToken, Me } from '../api/schema.js';
import { trackedFetch } from '../api/reachability.js';
import { ServiceError, unwrap } from '../api/service-error.js';
import { createStore } from '../api/store.js';
import { readTokenSubject, type TokenSubject } from './token-subject.js';

/**
 * - `unknown`: not yet checked whether the browser has a session
 * - `signed-in`
 * - `ended`: was signed in; requests wait until the user signs in again
 * - `signed-out`
 */
type SessionStatus = 'unknown' | 'signed-in' | 'ended' | 'signed-out';

type SessionMessage = 'signed in' | 'signed out' | 'organization switched';

declare global {
  var earlyRefresh: Promise<Response> | undefined;
}

const status = createStore<SessionStatus>('unknown');

/** Reaches the other windows of this browser, which share the session cookie. */
const otherWindows = new BroadcastChannel('keycard-session');

// Kept in memory only, so injected scripts can't read it from storage.
let accessToken: string | undefined;
let subject: TokenSubject | undefined;
let renewal: Promise<boolean> | undefined;
/** Came with the first access token, until it's taken. */
let describedUser: Me | undefined;

otherWindows.onmessage = ({ data: message }: MessageEvent<SessionMessage>) => {
  if (status.get() !== 'signed-in' && status.get() !== 'ended') return;
  if (message === 'signed out') leave();
  // The next access token will be for the other organization; its data must not mix with what this window shows.
  else if (message === 'organization switched') window.location.assign('/dashboard');
  // Saves the user from signing in again in this window, too.
  else void renew().catch(() => undefined);
};

function notifyOtherWindows(message: SessionMessage): void {
  otherWindows.postMessage(message);
}

/** Loads the sign-in page, which drops the token, cached data and unsaved input from memory. */
function leave(): void {
  window.location.assign('/sign-in');
}

function accept(token: AccessToken): void {
  accessToken = token.accessToken;
  subject = readTokenSubject(accessToken);
  describedUser = undefined;
  status.set('signed-in');
}

/** Accepts a token for the same user and organization; waiting requests must never be sent as anyone else. */
async function resumeWith(token: AccessToken): Promise<void> {
  const next = readTokenSubject(token.accessToken);
  if (subject === undefined || isSame(next, subject)) return accept(token);
  if (next.userId !== subject.userId) return reload();
  // Signing in selects the user's first organization, and another window may have switched to a different one.
  const request = publicApi.POST('/auth/switch-organization', {
    headers: bearerHeader(token.accessToken),
    body: { organizationId: subject.organizationId },
  });
  const switched = await unwrap(request).catch((error: unknown) => {
    // The user is no longer a member.
    if (error instanceof ServiceError && error.status === 404) return reload();
    throw error;
  });
  accept(switched);
}

function isSame(one: TokenSubject, other: TokenSubject): boolean {
  return one.userId === other.userId && one.organizationId === other.organizationId;
}

/** Reloads the page for the current user and drops waiting requests. */
function reload(): Promise<never> {
  window.location.reload();
  return new Promise(() => undefined);
}

/** Sends a renewal, unless index.html has sent one while scripts were loading. */
function sendRenewal(request: Request): Promise<Response> {
  const early = globalThis.earlyRefresh;
  globalThis.earlyRefresh = undefined;
  return trackedFetch(request, early && (() => early));
}

/** Gets a new access token, once for concurrent callers. Resolves to false if the session has ended. */
function renew(): Promise<boolean> {
  renewal ??= requestRenewal().finally(() => (renewal = undefined));
  return renewal;
}

async function requestRenewal(): Promise<boolean> {
  try {
    const isFirst = status.get() === 'unknown';
    const { me, ...token } = await unwrap(publicApi.POST('/auth/refresh', { fetch: sendRenewal }));
    await resumeWith(token);
    if (isFirst) describedUser = me;
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 401) return false;
    // The user was removed from their last organization, or it was deleted. Once reloaded, the page explains it.
    if (error instanceof ServiceError && error.code === 'no-organization' && status.get() === 'signed-in')
      return reload();
    throw error;
  }
}

/** Resolves when the user has signed in again. Signing out leaves the page instead. */
function waitForSignIn(): Promise<void> {
  status.set('ended');
  return new Promise((resolve) => {
    const stop = status.subscribe(() => {
      stop();
      resolve();
    });
  });
}

async function fetchAsUser(request: Request, send: (request: Request) => Promise<Response>): Promise<Response> {
  const attempt = () => {
    const copy = request.clone();
    copy.headers.set('authorization', `Bearer ${accessToken ?? ''}`);
    return send(copy);
  };
  const rejectedToken = accessToken;
  const response = await attempt();
  if (response.status !== 401) return response;
  // A concurrent request may already have renewed the token.
  const hasEnded = rejectedToken === accessToken && !(await renew());
  if (hasEnded && rejectedToken === accessToken) await waitForSignIn();
  return attempt();
}

/** The browser's session. Holds the access token and renews it when it expires. */
export const session = {
  status,

  /** Whether this browser may have a session. Scripts can't read its cookie, but a readable one is set and deleted along with it. */
  mayExist(): boolean {
    return document.cookie.split('; ').some((cookie) => cookie.startsWith(`${sessionMarkName}=`));
  },

  /** Returns the user as described along with the first access token, once. */
  takeDescribedUser(): Me | undefined {
    const me = describedUser;
    describedUser = undefined;
    return me;
  },

  /** Continues with the token of a new sign-in, here and in other windows. */
  async signIn(token: AccessToken): Promise<void> {
    await resumeWith(token);
    session.announce();
  },

  /** Signs in the other windows too. */
  announce(): void {
    notifyOtherWindows('signed in');
  },

  /**
   * Restores the browser's session, if it has one.
   * @throws ServiceError if the service can't be reached
   */
  async resume(): Promise<void> {
    if (status.get() !== 'unknown') return;
    if (!session.mayExist() || !(await renew())) status.set('signed-out');
  },

  /** Sends a request with the access token. After a 401, renews the session, or waits for a new sign-in, and retries. */
  fetch: fetchAsUser,

  /** Continues with a token for another organization, here and in other windows. */
  async switchTo(token: AccessToken): Promise<void> {
    // A renewal in progress would bring back a token for the previous organization.
    await renewal?.catch(() => false);
    accept(token);
    notifyOtherWindows('organization switched');
  },

  /** Signs out here and in other windows. */
  async signOut(): Promise<void> {
    await unwrap(publicApi.POST('/auth/sign-out'));
    session.forget();
  },

  /** Reloads all windows after the session cookie changed to another organization or user. */
  restart(): void {
    notifyOtherWindows('organization switched');
    window.location.assign('/dashboard');
  },

  /** Leaves an ended session, here and in other windows. */
  forget(): void {
    notifyOtherWindows('signed out');
    leave();
  },
};
