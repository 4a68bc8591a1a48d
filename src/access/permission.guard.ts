import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../common/errors/app-error.js';
import { type Access, accessMetadata } from './declare-access.js';

/** Refuses a principal that lacks the permission which the route declares. Runs after authentication. */
@Injectable()
export class PermissionGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const access = this.reflector.get<Access | undefined>(accessMetadata, context.getHandler());
    if (access?.kind !== 'permission') return true;
    const { principal } = context.switchToHttp().getRequest<FastifyRequest>();
    if (principal?.permissions.includes(access.permission)) return true;
    throw new AppError('missing-permission', `Your role lacks the permission ${access.permission}.`);
  }
}
