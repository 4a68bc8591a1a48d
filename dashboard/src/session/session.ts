import { authorize, publicApi } from '../api/public-api.js';
import type { AccessToken } from '../api/schema.js';
import { ServiceError, unwrap } from '../api/service-error.js';
import { createStore } from '../api/store.js';
import { mayHoldSession } from './may-hold-session.js';
import { otherWindows } from './other-windows.js';
import { type Work, workOf } from './work.js';

/**
 * - `unknown`: nobody has asked the service yet whether the browser holds a session
 * - `signed-in`
 * - `ended`: was signed in, and has to sign in again before the work can go on
 * - `signed-out`
 */
type SessionStatus = 'unknown' | 'signed-in' | 'ended' | 'signed-out';

const status = createStore<SessionStatus>('unknown');

// In memory only: a script that finds its way into the page finds no token in any storage.
let accessToken: string | undefined;
let work: Work | undefined;
let renewal: Promise<boolean> | undefined;

otherWindows.listen((message) => {
  if (!hasWork()) return;
  if (message === 'signed out') leave();
  // Their next access token will be for the other organization: what they show must not be mixed with it.
  else if (message === 'organization switched') window.location.assign('/dashboard');
  // Who has to sign in again here, too, is spared it.
  else void renew().catch(() => undefined);
});

function hasWork(): boolean {
  return status.get() === 'signed-in' || status.get() === 'ended';
}

/** Loading the page anew drops all that this window holds: the token, what was read, what was typed. */
function leave(): void {
  window.location.assign('/sign-in');
}

function accept(token: AccessToken): void {
  accessToken = token.accessToken;
  work = workOf(accessToken);
  status.set('signed-in');
}

/**
 * Goes on with the work of this window by another token. Whatever waits was meant for one user and one organization:
 * it never goes on as somebody else or elsewhere.
 */
async function goOn(token: AccessToken): Promise<void> {
  const next = workOf(token.accessToken);
  if (work === undefined || isSame(next, work)) return accept(token);
  if (next.userId !== work.userId) return startAnew();
  // Signing in leads to the first organization of the user, and another window may have turned to one of its own.
  const request = publicApi.POST('/auth/switch-organization', {
    headers: authorize(token.accessToken),
    body: { organizationId: work.organizationId },
  });
  const turned = await unwrap(request).catch((error: unknown) => {
    // No longer a member there.
    if (error instanceof ServiceError && error.status === 404) return startAnew();
    throw error;
  });
  accept(turned);
}

function isSame(one: Work, other: Work): boolean {
  return one.userId === other.userId && one.organizationId === other.organizationId;
}

/** Loads the page for whoever is signed in now; what waits is given up with it. */
function startAnew(): Promise<never> {
  window.location.reload();
  return new Promise(() => undefined);
}

/** Gets the next access token by the cookie, once for all who ask at the same time; false when the session is over. */
function renew(): Promise<boolean> {
  renewal ??= requestRenewal().finally(() => (renewal = undefined));
  return renewal;
}

async function requestRenewal(): Promise<boolean> {
  try {
    await goOn(await unwrap(publicApi.POST('/auth/refresh')));
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 401) return false;
    throw error;
  }
}

/** Waits until the person has signed in again; who leaves instead leaves this page, and all that waits with it. */
function signedInAgain(): Promise<void> {
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
  const refused = accessToken;
  const response = await attempt();
  if (response.status !== 401) return response;
  // Others are refused at the same time, and one of them may have got the next token already.
  const isOver = refused === accessToken && !(await renew());
  if (isOver && refused === accessToken) await signedInAgain();
  return attempt();
}

/** Who is signed in, as far as this window knows: keeps the access token and renews it when it has run out. */
export const session = {
  status,

  /** Goes on with a token that the person has just signed in for, and lets the other windows know. */
  async signIn(token: AccessToken): Promise<void> {
    await goOn(token);
    session.announce();
  },

  /** Lets the other windows know that somebody has signed in. */
  announce(): void {
    otherWindows.tell('signed in');
  },

  /** Picks up the session that the browser holds, if any. Raises a ServiceError when the service cannot be asked. */
  async resume(): Promise<void> {
    if (status.get() !== 'unknown') return;
    if (!mayHoldSession() || !(await renew())) status.set('signed-out');
  },

  /** Sends a request with the access token. When that is refused, the session is renewed, by the person if need be. */
  fetch: fetchAsUser,

  /** Goes on with a token for another organization, here and in the other windows. */
  async switchTo(token: AccessToken): Promise<void> {
    // A renewal that began before would bring back a token for the organization that is left.
    await renewal?.catch(() => false);
    accept(token);
    otherWindows.tell('organization switched');
  },

  /** Ends the session here and in the other windows. */
  async signOut(): Promise<void> {
    await unwrap(publicApi.POST('/auth/sign-out'));
    session.forget();
  },

  /** Begins anew with what the cookie leads to by now: another organization, or another person. All windows do. */
  restart(): void {
    otherWindows.tell('organization switched');
    window.location.assign('/dashboard');
  },

  /** Leaves a session that has ended, also in the other windows. */
  forget(): void {
    otherWindows.tell('signed out');
    leave();
  },
};
