import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { HasCodePoints } from '../../common/validation/has-code-points.js';

const shortest = 12;
const longest = 256;

/** A field with a password that somebody chooses; the same rule wherever one does. */
export const NewPassword = ({ description }: { description: string }): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      description,
      example: 'correct horse battery staple',
      format: 'password',
      minLength: shortest,
      maxLength: longest,
    }),
    HasCodePoints(shortest, longest, {
      message: `$property must have ${shortest} to ${longest} characters and no control characters`,
    }),
  );
