import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { idProperty } from '../../common/http/api-resource.js';

@ApiSchema({ name: 'RoleReference', description: 'A role.' })
export class RoleReferenceDto {
  @ApiProperty(idProperty('role'))
  id: string;

  @ApiProperty({ description: 'Name of the role.', example: 'Key manager', minLength: 1 })
  name: string;
}
