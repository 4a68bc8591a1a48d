import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { maxEmailLength } from '../../../common/rules/email-address.js';
import { idProperty, timeProperty } from '../../../common/http/api-resource.js';
import { RoleReferenceDto } from '../../../organizations/dto/role-reference.dto.js';

@ApiSchema({ name: 'InvitingOrganization', description: 'The inviting organization.' })
class InvitingOrganizationDto {
  @ApiProperty(idProperty('organization'))
  id: string;

  @ApiProperty({ description: 'Name of the organization.', example: 'Research', minLength: 1 })
  name: string;
}

@ApiSchema({ name: 'InvitationPreview', description: 'An open invitation.' })
export class InvitationPreviewDto {
  /** The organization to join. */
  organization: InvitingOrganizationDto;

  /** The role that the new member will have. */
  role: RoleReferenceDto;

  @ApiProperty({
    description: 'Invited email.',
    example: 'ada@example.com',
    minLength: 3,
    maxLength: maxEmailLength,
  })
  email: string;

  @ApiProperty({
    description: 'Whether the invited email has an account. Only returned to that account.',
    example: true,
    required: false,
  })
  hasAccount?: boolean;

  @ApiProperty({
    description: 'Whether that account has a password. Only returned to that account.',
    example: true,
    required: false,
  })
  hasPassword?: boolean;

  @ApiProperty(timeProperty('When the invitation expires'))
  expiresAt: string;
}
