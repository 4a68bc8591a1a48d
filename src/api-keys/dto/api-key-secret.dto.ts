import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { GracePeriodField } from '../../common/validation/grace-period.js';

const keyProperty = {
  description: 'The full API key. Store it now: no other response contains it.',
  example: 'kc_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAM',
  pattern: '^kc_[0-9A-Za-z]{46}$',
};

@ApiSchema({ name: 'CreatedApiKey', description: 'A new API key.' })
export class CreatedApiKeyDto {
  @ApiProperty(keyProperty)
  key: string;
}

@ApiSchema({ name: 'RotateApiKey', description: 'Rotation settings.' })
export class RotateApiKeyDto {
  @GracePeriodField('secret')
  gracePeriodSeconds: number;
}

@ApiSchema({ name: 'RotatedApiKey', description: 'A rotated API key.' })
export class RotatedApiKeyDto {
  @ApiProperty(keyProperty)
  key: string;
}
