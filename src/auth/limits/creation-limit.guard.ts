import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { limitCreationMetadata } from '../../access/limit-creation.js';
import { RateLimitsService } from './rate-limits.service.js';

/** Limits how much a user and an organization create: far more than people and provisioning scripts need. */
@Injectable()
export class CreationLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly limits: RateLimitsService,
  ) {}

  /** @throws AppError 429 when the user or the organization has sent too many requests to create something */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.get<true | undefined>(limitCreationMetadata, context.getHandler()) === undefined) return true;
    const { principal } = context.switchToHttp().getRequest<FastifyRequest>();
    if (principal === undefined) return false;
    await this.limits.spend('creation by user', principal.id);
    await this.limits.spend('creation by organization', principal.organizationId);
    return true;
  }
}
