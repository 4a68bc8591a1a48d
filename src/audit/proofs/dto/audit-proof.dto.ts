import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { OptionalField } from '../../../common/validation/field-decorators.js';
import { QueryInteger } from '../../../common/validation/paging.dto.js';

const exampleOrigin = 'keycard/audit/01936f5e-7b1c-7a10-8a2f-1f6f0e2d9c11';
const exampleHash = 'Z4hyLy1x8yYzO9OWSpmI3Uab1hQGNbo1Kd7ftGVTmpY=';

/** Of all proofs. */
const maxHashes = 128;
export const exampleCheckpoint = `${exampleOrigin}\n1284\n${exampleHash}\nTime: 2026-01-31T10:00:00.000Z\n\n— ${exampleOrigin} r6TkFuJ8SxVnn2cUdGTuJcnC1ZGMD4dpvGVz4cpMGYdQqmrGlG7pyLvCUx3rcTYBDRY7qJ7nyHFjT6hoHTd81JhiFgc=\n`;

const checkpointProperty = {
  description:
    'Signed checkpoint (C2SP `tlog-checkpoint`): origin, number of events, root hash in base64 and time, then an Ed25519 signature.',
  example: exampleCheckpoint,
  minLength: 1,
};

const publicKeyProperty = {
  description: 'Key that verifies the signature, as verifiers of C2SP `signed-note` take it: name, key id and key.',
  example: `${exampleOrigin}+afa4e416+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW`,
  minLength: 1,
};

const treeSizeProperty = {
  description: 'Number of events in the checkpoint.',
  example: 1284,
  type: 'integer' as const,
  minimum: 0,
};

const hashesProperty = (description: string) => ({
  type: 'array' as const,
  description,
  example: [exampleHash],
  maxItems: maxHashes,
  items: { type: 'string', minLength: 44, maxLength: 44 },
});

@ApiSchema({ name: 'AuditProof', description: 'Proof that a checkpoint contains an event.' })
export class AuditProofDto {
  @ApiProperty({
    description: 'Position of the event in the log; 0 is the first.',
    example: 1283,
    type: 'integer',
    minimum: 0,
  })
  index: number;

  @ApiProperty(treeSizeProperty)
  treeSize: number;

  @ApiProperty(hashesProperty('Hashes that lead from the event to the root, in base64 (RFC 6962, section 2.1.1).'))
  hashes: string[];

  @ApiProperty({
    description: 'Canonical JSON (RFC 8785) of the event, whose bytes are hashed.',
    example: '{"action":"api-key.update", …}',
    minLength: 2,
  })
  event: string;

  @ApiProperty(checkpointProperty)
  checkpoint: string;

  @ApiProperty(publicKeyProperty)
  publicKey: string;
}

@ApiSchema({ name: 'AuditConsistencyProof', description: 'Proof that a checkpoint continues an earlier one.' })
export class AuditConsistencyProofDto {
  @ApiProperty(treeSizeProperty)
  treeSize: number;

  @ApiProperty(hashesProperty('Hashes that lead to the roots of both, in base64 (RFC 6962, section 2.1.2).'))
  hashes: string[];

  @ApiProperty(checkpointProperty)
  checkpoint: string;

  @ApiProperty(publicKeyProperty)
  publicKey: string;
}

export class AuditConsistencyQueryDto {
  @QueryInteger({
    minimum: 0,
    maximum: 2_147_483_647,
    default: 0,
    description: 'Number of events in the earlier checkpoint, its second line.',
  })
  @OptionalField()
  size = 0;
}
