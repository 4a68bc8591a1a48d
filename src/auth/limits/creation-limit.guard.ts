import { applyDecorators, type CanActivate, type ExecutionContext, Injectable, UseGuards } from '@nestjs/common';
import { ApiTooManyRequestsResponse } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { problemContent } from '../../common/errors/api-errors.js';
import { retryAfterHeader } from '../../common/http/api-headers.js';
import { RateLimitsService } from './rate-limits.service.js';

/** Limits how much a user and an organization create: far more than people and provisioning scripts need. */
@Injectable()
export class CreationLimitGuard implements CanActivate {
  constructor(private readonly limits: RateLimitsService) {}

  /** @throws AppError 429 when the user or the organization has sent too many requests to create something */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { principal } = context.switchToHttp().getRequest<FastifyRequest>();
    if (principal === undefined) return false;
    await this.limits.spend('creation by user', principal.id);
    await this.limits.spend('creation by organization', principal.organizationId);
    return true;
  }
}

/** Limits the requests of a route that creates something, per user and per organization. */
export const LimitCreation = () =>
  applyDecorators(
    UseGuards(CreationLimitGuard),
    ApiTooManyRequestsResponse({
      ...problemContent,
      headers: retryAfterHeader,
      description: 'You or your organization created too much in a short time; see `Retry-After`.',
    }),
  );
