import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';

const maxSeconds = 7 * 24 * 3600;
const message = `$property must be an integer between 0 and ${maxSeconds} (7 days)`;

/** The field of a rotation that says how long the replaced secret stays accepted. */
export function GracePeriodField(secret: 'secret' | 'client secret'): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'integer',
      description: `How long the current ${secret} keeps working, in seconds. 0 revokes it immediately.`,
      example: 3600,
      minimum: 0,
      maximum: maxSeconds,
    }),
    IsInt({ message }),
    Min(0, { message }),
    Max(maxSeconds, { message }),
  );
}
