import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';

const maxGracePeriodSeconds = 7 * 24 * 3600;
const gracePeriodMessage = `$property must be an integer between 0 and ${maxGracePeriodSeconds} (7 days)`;

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
  @ApiProperty({
    type: 'integer',
    description: 'How long the current secret keeps working, in seconds. 0 revokes it immediately.',
    example: 3600,
    minimum: 0,
    maximum: maxGracePeriodSeconds,
  })
  @IsInt({ message: gracePeriodMessage })
  @Min(0, { message: gracePeriodMessage })
  @Max(maxGracePeriodSeconds, { message: gracePeriodMessage })
  gracePeriodSeconds: number;
}

@ApiSchema({ name: 'RotatedApiKey', description: 'A rotated API key.' })
export class RotatedApiKeyDto {
  @ApiProperty(keyProperty)
  key: string;
}
