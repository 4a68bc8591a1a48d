import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../../access/declare-access.js';
import { CurrentPrincipal, type Principal } from '../../access/principal.js';
import { ApiQueryErrors, errorCodes, problemContent } from '../../common/errors/api-errors.js';
import type { ErrorCode } from '../../common/errors/error-catalog.js';
import { IdParam } from '../../common/http/api-resource.js';
import { AuditProofsService } from './audit-proofs.service.js';
import {
  AuditConsistencyProofDto,
  AuditConsistencyQueryDto,
  AuditProofDto,
  exampleCheckpoint,
} from './dto/audit-proof.dto.js';

/** Documents that a route needs the operator's signing key. */
export const ApiProofsOff = (description = 'The audit log of this service is not signed.', ...codes: ErrorCode[]) =>
  ApiNotFoundResponse({ ...problemContent, ...errorCodes(...codes, 'audit-proofs-off'), description });

@ApiTags('Audit')
@Controller('audit-events')
export class AuditProofsController {
  constructor(private readonly proofs: AuditProofsService) {}

  /**
   * Get a checkpoint
   *
   * @remarks Returns a signed checkpoint with all events of the current organization. Keep it in another place: the log must
   * continue it, so removed or changed events are found later.
   */
  @Get('checkpoint')
  @RequirePermission('get-audit-events')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @ApiOkResponse({
    description: 'Signed checkpoint (C2SP `tlog-checkpoint`).',
    content: { 'text/plain': { schema: { type: 'string', minLength: 1 }, example: exampleCheckpoint } },
  })
  @ApiProofsOff()
  getAuditCheckpoint(@CurrentPrincipal() principal: Principal): Promise<string> {
    return this.proofs.checkpoint(principal);
  }

  /**
   * Prove consistency
   *
   * @remarks Proves that a checkpoint with all events of the current organization contains all events of an earlier one, in the
   * same order.
   */
  @Get('consistency-proof')
  @RequirePermission('get-audit-events')
  @ApiOkResponse({ type: AuditConsistencyProofDto, description: 'Proof and checkpoint.' })
  @ApiQueryErrors('`size` is invalid, or larger than the log.')
  @ApiProofsOff()
  getAuditConsistencyProof(
    @CurrentPrincipal() principal: Principal,
    @Query() { size }: AuditConsistencyQueryDto,
  ): Promise<AuditConsistencyProofDto> {
    return this.proofs.proveGrowth(principal, size);
  }

  /**
   * Prove an event
   *
   * @remarks Proves that a checkpoint of the current organization contains an event.
   */
  @Get(':id/proof')
  @RequirePermission('get-audit-events')
  @ApiOkResponse({ type: AuditProofDto, description: 'Proof and checkpoint.' })
  @ApiProofsOff('Audit event not found, or the audit log of this service is not signed.', 'not-found')
  getAuditProof(@CurrentPrincipal() principal: Principal, @IdParam('audit event') id: string): Promise<AuditProofDto> {
    return this.proofs.prove(principal, id);
  }
}
