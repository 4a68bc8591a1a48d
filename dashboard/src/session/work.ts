/** Whose work a window does. */
export interface Work {
  userId: string;
  organizationId: string;
}

/** What an access token is for. The service checks it; here it only tells two of them apart. */
export function workOf(accessToken: string): Work {
  const [, payload = ''] = accessToken.split('.');
  const text = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
  const { sub, org } = JSON.parse(text) as { sub: string; org: string };
  return { userId: sub, organizationId: org };
}
