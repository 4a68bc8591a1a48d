import type { FastifyReply, FastifyRequest } from 'fastify';
import { normalizeAddress } from '../common/http/client-address.js';
import type { MeterAmounts } from '../common/rules/meters.js';
import { clientClosedRequest } from '../usage/failures/failure.js';
import type { RequestOutcome } from '../usage/requests/logged-request.js';
import type { RequestLogService } from '../usage/requests/request-log.service.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** What was recorded as its usage. */
    recordedUsage: { readonly used: MeterAmounts; readonly cost: bigint | undefined } | undefined;
  }
}

/** Logs a request that has ended, if it belongs to a key. */
export function logRequest(log: RequestLogService, request: FastifyRequest, reply: FastifyReply): void {
  const apiKeyId = request.principal?.id ?? rejectedKeyOf(request);
  if (apiKeyId === undefined) return;
  const status = reply.raw.headersSent ? reply.statusCode : clientClosedRequest;
  log.log(apiKeyId, outcomeOf(request, reply, status), () => {
    const { usage, recordedUsage, method, routeOptions, ip, id } = request;
    const milliseconds = reply.elapsedTime;
    return {
      occurredAt: new Date(Date.now() - milliseconds),
      route: `${method} ${routeOptions.url ?? ''}`,
      model: usage?.model ?? '',
      status,
      milliseconds,
      address: normalizeAddress(ip),
      requestId: id,
      cost: recordedUsage?.cost ?? null,
      used: recordedUsage?.used ?? {},
    };
  });
}

/** A key that was identified and rejected, such as a disabled one. */
function rejectedKeyOf({ rejectedKey }: FastifyRequest): string | undefined {
  return rejectedKey !== undefined && 'apiKeyId' in rejectedKey ? rejectedKey.apiKeyId : undefined;
}

function outcomeOf({ usage }: FastifyRequest, { raw }: FastifyReply, status: number): RequestOutcome {
  if (usage?.isLimited === true) return 'limited';
  return status >= 400 || usage?.failure !== undefined || !raw.writableFinished ? 'failure' : 'success';
}
