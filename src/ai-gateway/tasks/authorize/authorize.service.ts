import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../../access/principal.js';
import { AppError, invalidField } from '../../../common/errors/app-error.js';
import { ServiceConfig } from '../../../config/service-config.js';
import type { GatewayRoute, RouteProvider } from '../../route-group.js';
import { defaultService, ServiceList } from './service-list.js';

/** Decides whether reverse proxies may forward a request with an API key to their services. */
@Injectable()
export class AuthorizeService implements RouteProvider {
  private readonly services: ServiceList;

  constructor(@Inject(ServiceConfig) { services }: Pick<ServiceConfig, 'services'>) {
    this.services = new ServiceList(services);
  }

  routes(): readonly GatewayRoute[] {
    const route: Omit<GatewayRoute, 'method'> = {
      url: '/v1/authorize',
      ignoresBody: true,
      needsKeyName: true,
      noStore: true,
      handler: (request, reply) => this.authorize(request, reply),
    };
    return [
      { method: 'GET', ...route },
      { method: 'POST', ...route },
    ];
  }

  /**
   * Responds with 204 and the identity of the API key, which the pipeline has admitted.
   *
   * @throws AppError 400 for an invalid query, 404 for an undeclared service, 403 for one that the key or its organization may not use
   */
  authorize(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { query, principal } = request;
    if (principal === undefined) throw new Error('The pipeline authenticates every request.');
    const service = readService(query as Record<string, unknown>);
    request.requestedModel = service;
    this.checkAccess(service, principal);
    request.usage = { model: service };
    void reply.code(204).headers({
      'x-keycard-key-id': principal.id,
      // Names aren't limited to the characters of a header.
      'x-keycard-key-name': encodeURIComponent(principal.name ?? ''),
      'x-keycard-organization-id': principal.organizationId,
    });
    return reply.send();
  }

  private checkAccess(service: string, { models, organizationId }: Principal): void {
    if (!this.services.has(service)) {
      throw new AppError('service-not-found', `The service '${service.slice(0, 200)}' does not exist.`, {
        fields: [{ field: 'service', message: 'does not exist' }],
      });
    }
    if (!this.services.allows(service, organizationId)) {
      throw new AppError('service-not-allowed', `API keys of this organization may not use the service '${service}'.`, {
        fields: [{ field: 'service', message: 'is not allowed for this organization' }],
      });
    }
    if (models && !models.includes(service)) {
      throw new AppError('service-not-allowed', `This API key may not use the service '${service}'.`, {
        fields: [{ field: 'service', message: 'is not allowed for this API key' }],
      });
    }
  }
}

/** @throws AppError 400 for an unknown or repeated parameter */
function readService({ service = defaultService, ...others }: Record<string, unknown>): string {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw invalidField(unknown, `${unknown.slice(0, 100)} is not a known parameter.`);
  if (typeof service === 'string' && service !== '') return service;
  throw invalidField('service', 'service must be given once, and not be empty.');
}
