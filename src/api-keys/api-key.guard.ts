import {
  applyDecorators,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { type Observable, tap } from 'rxjs';
import { AllowApiKeys } from '../access/declare-access.js';
import { toAppError } from '../common/errors/to-app-error.js';
import { normalizeAddress } from '../common/http/client-address.js';
import { FailureRecorderService } from '../usage/failures/failure-recorder.service.js';
import { recordError } from '../usage/failures/record-failure.js';
import { UsageRecorderService } from '../usage/usage-recorder.service.js';

const requestOf = (context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>();

/** Runs the `api-key` strategy and sets its principal on the request. */
class ApiKeyAuthGuard extends AuthGuard('api-key') {
  override getAuthenticateOptions() {
    return { session: false, property: 'principal' };
  }
}

/** Requires an API key. Notes its use, and records the requests that are rejected. */
@Injectable()
class ApiKeyGuard implements CanActivate {
  private readonly authGuard = new ApiKeyAuthGuard();

  constructor(
    private readonly recorder: UsageRecorderService,
    private readonly failures: FailureRecorderService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const span = request.trace?.startSpan('verify API key', 'internal');
    try {
      await this.authGuard.canActivate(context);
    } catch (error) {
      span?.end({}, toAppError(error).code);
      recordError(this.failures, request, error);
      throw error;
    }
    span?.end();
    this.noteUse(request);
    return true;
  }

  private noteUse({ principal, ip }: FastifyRequest): void {
    if (principal === undefined) return;
    const { id: apiKeyId, organizationId, usesPreviousSecret } = principal;
    this.recorder.noteUse({ apiKeyId, organizationId, address: normalizeAddress(ip), usesPreviousSecret });
  }
}

/** Records requests that fail after their key was accepted. */
@Injectable()
class FailureInterceptor implements NestInterceptor {
  constructor(private readonly failures: FailureRecorderService) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const record = (error: unknown) => recordError(this.failures, requestOf(context), error);
    return next.handle().pipe(tap({ error: record }));
  }
}

/** Allows API keys, which then are the principal. Requests are free, and fail in the key's list of failed requests. */
export const RequireApiKey = () => applyDecorators(AllowApiKeys(ApiKeyGuard), UseInterceptors(FailureInterceptor));
