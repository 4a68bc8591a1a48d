import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { idProperty, timeProperty } from '../../../common/http/api-resource.js';
import { IsEmailAddress, Trimmed } from '../../../common/validation/field-decorators.js';
import { PagingDto } from '../../../common/validation/paging.dto.js';
import { RoleReferenceDto } from '../../dto/role-reference.dto.js';

const emailProperty = {
  description: 'Invited email, case-insensitive.',
  example: 'ada@example.com',
  minLength: 3,
  maxLength: 254,
};

@ApiSchema({ name: 'CreateInvitation', description: 'Who is invited, and to what.' })
export class CreateInvitationDto {
  @ApiProperty(emailProperty)
  @Trimmed()
  @IsEmailAddress()
  email: string;

  @ApiProperty(idProperty('role that the new member is to have'))
  @IsString()
  roleId: string;
}

@ApiSchema({ name: 'Invitation', description: 'An invitation that was not accepted yet.' })
export class InvitationDto {
  @ApiProperty(idProperty('invitation'))
  id: string;

  @ApiProperty(emailProperty)
  email: string;

  /** The role that the new member will have. */
  role: RoleReferenceDto;

  @ApiProperty({
    type: 'string',
    description: 'Email of the inviter; null if the account was deleted.',
    example: 'admin@keycard.local',
    nullable: true,
    minLength: 3,
    maxLength: 254,
  })
  invitedBy: string | null;

  @ApiProperty(timeProperty('When the invitation was made'))
  createdAt: string;

  @ApiProperty(timeProperty('Until when it can be accepted'))
  expiresAt: string;
}

@ApiSchema({ name: 'CreatedInvitation', description: 'A new invitation; its link cannot be retrieved again.' })
export class CreatedInvitationDto extends InvitationDto {
  @ApiProperty({
    description:
      'The link to pass on to who is invited: this answer is the only one that holds it. ' +
      'What follows `token=` is the token of `POST /auth/accept-invitation`.',
    example: 'https://keycard.example.com/accept-invitation#token=EXAMPLEexampleEXAMPLEexampleEXAMPLEexample0',
    format: 'uri',
    pattern: '/accept-invitation#token=[\\w-]{43}$',
  })
  link: string;
}

@ApiSchema({ name: 'InvitationList', description: 'One page of invitations.' })
export class InvitationListDto extends PagingDto {
  @ApiProperty({ type: [InvitationDto], description: 'The invitations of this page, newest first.', maxItems: 100 })
  invitations: InvitationDto[];
}
