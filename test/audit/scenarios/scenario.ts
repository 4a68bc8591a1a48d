import { hashPassword } from '../../../src/auth/password.js';
import { createMember } from '../../factories/organizations.js';
import { type Answer, call } from '../../setup/call.js';
import type { TestApp } from '../../setup/test-app.js';

export const password = 'correct horse battery staple';
export const wrongPassword = 'incorrect horse battery staple';

type CallOptions = Parameters<typeof call>[2];

/** Somebody who may do everything, and does it with HTTP alone. */
export interface Stage {
  service: TestApp;
  email: string;
  organizationId: string;
  /** Calls a route with the member's JWT, unless told otherwise. */
  request: (route: string, options?: CallOptions) => Promise<Answer>;
}

/** Makes ready what the call takes; the call itself is what is returned. */
export type Scenario = (stage: Stage) => Promise<() => Promise<Answer>>;

let stages = 0;

/** A member with all permissions, who has signed in and left an event doing so. */
export async function setStage(service: TestApp): Promise<Stage> {
  const email = `stage-${++stages}@example.com`;
  const { organizationId } = await createMember(service, { email, passwordHash: await hashPassword(password) });
  const token = fieldOf(await signIn(service, email), 'accessToken');
  const request = (route: string, options?: CallOptions) => call(service.url, route, { token, ...options });
  return { service, email, organizationId, request };
}

/** Signs in, as from another browser. */
export function signIn({ url }: TestApp, email: string, as = password): Promise<Answer> {
  return call(url, 'POST /auth/sign-in', { body: { email, password: as } });
}

/** A field of the answer that is text, found at such a path as `roles.0.id`. */
export function fieldOf({ body, text }: Answer, path: string): string {
  const step = (value: unknown, name: string): unknown => Reflect.get(Object(value) as object, name);
  const value = path.split('.').reduce(step, body);
  if (typeof value !== 'string') throw new Error(`There is no text at ${path} of ${text}`);
  return value;
}
