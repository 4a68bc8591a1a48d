import type { FastifyRequest } from 'fastify';
import { baseUrlOf } from '../../common/http/base-url.js';
import type { ServiceConfig } from '../../config/service-config.js';

/**
 * The redirect URI to which the provider sends the browser.
 *
 * @throws AppError 400 when `PUBLIC_URL` is not set and the `Host` header is not a host name
 */
export function callbackUrlOf(request: FastifyRequest, config: Pick<ServiceConfig, 'publicUrl'>): string {
  return `${baseUrlOf(request, config)}/auth/oidc/callback`;
}
