const serverError = (code: string) => ({ type: 'server_error', code });

/** Errors that aren't the caller's fault (5xx). */
export const serverErrors = {
  'internal-error': {
    status: 500,
    title: 'Internal error',
    openAi: serverError('internal_error'),
    remedy: 'Report the request id. The log has the cause.',
  },
  'upstream-failed': {
    status: 502,
    title: 'Upstream failed',
    openAi: serverError('upstream_failed'),
    remedy: 'Retry. If the error persists, report the request id: the log has the upstream response.',
  },
  'database-unavailable': {
    status: 503,
    title: 'Database unavailable',
    openAi: serverError('database_unavailable'),
    remedy: 'Retry after the seconds in `Retry-After`.',
  },
  'organization-moving': {
    status: 503,
    title: 'Organization is moving',
    openAi: serverError('organization_moving'),
    remedy: 'Retry after the seconds in `Retry-After`.',
  },
  overloaded: {
    status: 503,
    title: 'Overloaded',
    openAi: serverError('overloaded'),
    remedy: 'Retry after the seconds in `Retry-After`.',
  },
  'engine-unavailable': {
    status: 503,
    title: 'Engine unavailable',
    openAi: serverError('engine_unavailable'),
    remedy: 'Retry after the seconds in `Retry-After`. The log has the cause.',
  },
  'upstream-unavailable': {
    status: 503,
    title: 'Upstream unavailable',
    openAi: serverError('upstream_unavailable'),
    remedy: 'Retry after the seconds in `Retry-After`.',
  },
  'identity-provider-unavailable': {
    status: 503,
    title: 'Identity provider unavailable',
    openAi: serverError('identity_provider_unavailable'),
    remedy: 'Retry after the seconds in `Retry-After`. The log has the cause.',
  },
  'not-ready': {
    status: 503,
    title: 'Keycard is starting or stopping',
    openAi: serverError('not_ready'),
    remedy: 'Retry after the seconds in `Retry-After`.',
  },
  'upstream-timeout': {
    status: 504,
    title: 'Upstream timeout',
    openAi: serverError('upstream_timeout'),
    remedy: 'Send less data per request, or retry.',
  },
} as const;
