import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';

const longestGracePeriodSeconds = 7 * 24 * 3600;
const message = `$property must be a whole number of seconds from 0 to ${longestGracePeriodSeconds} (7 days)`;

@ApiSchema({ name: 'RotateApiKey', description: 'How a key is to be rotated.' })
export class RotateApiKeyDto {
  @ApiProperty({
    type: 'integer',
    description: 'For how many seconds the former key is accepted beside the new one; 0: no longer.',
    example: 3600,
    minimum: 0,
    maximum: longestGracePeriodSeconds,
  })
  @IsInt({ message })
  @Min(0, { message })
  @Max(longestGracePeriodSeconds, { message })
  gracePeriodSeconds: number;
}

@ApiSchema({ name: 'RotatedApiKey', description: 'The new key; it cannot be retrieved again.' })
export class RotatedApiKeyDto {
  @ApiProperty({
    description: 'The full new key. Keep it: this answer is the only one that holds it.',
    example: 'kc_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAM',
    pattern: '^kc_[0-9A-Za-z]{46}$',
  })
  key: string;
}
