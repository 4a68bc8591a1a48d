import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { idProperty } from '../../common/http/api-resource.js';

@ApiSchema({ name: 'SwitchOrganization', description: 'The organization to switch to.' })
export class SwitchOrganizationDto {
  @ApiProperty(idProperty('organization'))
  @IsString()
  organizationId: string;
}
