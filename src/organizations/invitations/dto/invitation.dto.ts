import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { maxEmailLength } from '../../../common/rules/email-address.js';
import { idProperty, timeProperty } from '../../../common/http/api-resource.js';
import { IsEmailAddress, IsId, Trimmed } from '../../../common/validation/field-decorators.js';
import { PagingDto } from '../../../common/validation/paging.dto.js';
import { PersonReferenceDto } from '../../../common/http/person-reference.dto.js';
import { RoleReferenceDto } from '../../dto/role-reference.dto.js';

const emailProperty = {
  description: 'Invited email, case-insensitive.',
  example: 'ada@example.com',
  minLength: 3,
  maxLength: maxEmailLength,
};

@ApiSchema({ name: 'CreateInvitation', description: 'Invited email and role.' })
export class CreateInvitationDto {
  @ApiProperty(emailProperty)
  @Trimmed()
  @IsEmailAddress()
  email: string;

  @ApiProperty(idProperty('role for the new member'))
  @IsId()
  roleId: string;
}

@ApiSchema({ name: 'Inviter', description: 'The user who invited someone.' })
export class InviterDto extends PersonReferenceDto {}

@ApiSchema({ name: 'Invitation', description: 'A pending invitation.' })
export class InvitationDto {
  @ApiProperty(idProperty('invitation'))
  id: string;

  @ApiProperty(emailProperty)
  email: string;

  /** The new member's role. */
  role: RoleReferenceDto;

  @ApiProperty({
    type: InviterDto,
    nullable: true,
    description: 'The user who sent the invitation; null if a service account did, or the account was deleted.',
  })
  invitedBy: InviterDto | null;

  @ApiProperty(timeProperty('When the invitation was created'))
  createdAt: string;

  @ApiProperty(timeProperty('When the invitation expires'))
  expiresAt: string;
}

@ApiSchema({ name: 'CreatedInvitation', description: 'A new invitation. Its link cannot be retrieved again.' })
export class CreatedInvitationDto extends InvitationDto {
  @ApiProperty({
    description:
      'Link to send to the invited person. Only returned in this response. ' +
      'The value of `token` in it is the token for `POST /auth/accept-invitation`.',
    example: 'https://keycard.example.com/accept-invitation#token=EXAMPLEexampleEXAMPLEexampleEXAMPLEexample0',
    format: 'uri',
    pattern: '/accept-invitation#token=[\\w-]{43}$',
  })
  link: string;
}

@ApiSchema({ name: 'InvitationList', description: 'One page of invitations.' })
export class InvitationListDto extends PagingDto {
  @ApiProperty({ type: [InvitationDto], description: 'Invitations on this page, newest first.', maxItems: 100 })
  invitations: InvitationDto[];
}
