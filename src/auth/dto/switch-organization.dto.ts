import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { idProperty } from '../../common/http/api-resource.js';

@ApiSchema({ name: 'SwitchOrganization', description: 'Which organization to work in.' })
export class SwitchOrganizationDto {
  @ApiProperty(idProperty('organization'))
  @IsString()
  organizationId: string;
}
