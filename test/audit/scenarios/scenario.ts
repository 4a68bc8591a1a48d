import { hashPassword } from '../../../src/auth/password.js';
import { createMember } from '../../factories/organizations.js';
import { type CallResponse, call } from '../../setup/call.js';
import type { TestApp } from '../../setup/test-app.js';

export const password = 'correct horse battery staple';
export const wrongPassword = 'incorrect horse battery staple';

type CallOptions = Parameters<typeof call>[2];

/** A member with all permissions who uses only HTTP. */
export interface Stage {
  service: TestApp;
  email: string;
  organizationId: string;
  /** Calls a route, by default with the member's JWT. */
  request: (route: string, options?: CallOptions) => Promise<CallResponse>;
}

/** Prepares the call and returns it. */
export type Scenario = (stage: Stage) => Promise<() => Promise<CallResponse>>;

let stages = 0;

/** Creates a member with all permissions and signs in, which records an event. */
export async function setStage(service: TestApp): Promise<Stage> {
  const email = `stage-${++stages}@example.com`;
  const { organizationId } = await createMember(service, { email, passwordHash: await hashPassword(password) });
  const token = fieldOf(await signIn(service, email), 'accessToken');
  const request = (route: string, options?: CallOptions) => call(service.url, route, { token, ...options });
  return { service, email, organizationId, request };
}

/** Signs in from another browser. */
export function signIn({ url }: TestApp, email: string, as = password): Promise<CallResponse> {
  return call(url, 'POST /auth/sign-in', { body: { email, password: as } });
}

/** Returns the text at a path of the response, such as `roles.0.id`. */
export function fieldOf({ body, text }: CallResponse, path: string): string {
  const step = (value: unknown, name: string): unknown => Reflect.get(Object(value) as object, name);
  const value = path.split('.').reduce(step, body);
  if (typeof value !== 'string') throw new Error(`There is no text at ${path} of ${text}`);
  return value;
}
