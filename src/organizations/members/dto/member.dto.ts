import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { maxEmailLength } from '../../../common/rules/email-address.js';
import { idProperty, timeProperty } from '../../../common/http/api-resource.js';
import { HasCodePoints, IsId, OptionalField } from '../../../common/validation/field-decorators.js';
import { PageQueryDto, PagingDto } from '../../../common/validation/paging.dto.js';
import { RoleReferenceDto } from '../../dto/role-reference.dto.js';

export class ListMembersQueryDto extends PageQueryDto {
  @ApiPropertyOptional({
    description: 'Only members whose name or email contains this text, case-insensitive.',
    minLength: 0,
    maxLength: maxEmailLength,
  })
  @OptionalField()
  @HasCodePoints(0, maxEmailLength)
  search?: string;
}

@ApiSchema({ name: 'UpdateMember', description: 'Member settings to change.' })
export class UpdateMemberDto {
  @ApiProperty(idProperty('new role'))
  @IsId()
  roleId: string;
}

@ApiSchema({ name: 'Member', description: 'A user in the organization.' })
export class MemberDto {
  @ApiProperty(idProperty('membership'))
  id: string;

  @ApiProperty(idProperty('user'))
  userId: string;

  @ApiProperty({
    description: 'Email for signing in.',
    example: 'ada@example.com',
    minLength: 3,
    maxLength: maxEmailLength,
  })
  email: string;

  @ApiProperty({ description: 'Name of the user.', example: 'Ada Lovelace', minLength: 1 })
  name: string;

  /** The member's role. */
  role: RoleReferenceDto;

  @ApiProperty(timeProperty('When the user became a member'))
  joinedAt: string;
}

@ApiSchema({ name: 'MemberList', description: 'One page of members.' })
export class MemberListDto extends PagingDto {
  @ApiProperty({ type: [MemberDto], description: 'Members on this page, in the order of joining.', maxItems: 100 })
  members: MemberDto[];
}
