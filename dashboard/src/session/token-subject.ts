/** The user and organization that an access token is for. */
export interface TokenSubject {
  userId: string;
  organizationId: string;
}

/** Reads the subject without verifying the token, which the service does. */
export function readTokenSubject(accessToken: string): TokenSubject {
  const [, payload = ''] = accessToken.split('.');
  const text = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
  const { sub, org } = JSON.parse(text) as { sub: string; org: string };
  return { userId: sub, organizationId: org };
}
