import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { idProperty } from '../../common/http/api-resource.js';
import { IsId } from '../../common/validation/field-decorators.js';

@ApiSchema({ name: 'SwitchOrganization', description: 'The organization to switch to.' })
export class SwitchOrganizationDto {
  @ApiProperty(idProperty('organization'))
  @IsId()
  organizationId: string;
}
