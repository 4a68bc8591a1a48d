import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { isNewPassword, newPasswordRule, passwordLength } from '../../common/rules/text-rules.js';

/** Validates and documents a field with a new password, except for `rejectGuessable`. */
export const NewPassword = ({ description }: { description: string }): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      description,
      example: 'correct horse battery staple',
      format: 'password',
      minLength: passwordLength.min,
      maxLength: passwordLength.max,
    }),
    ValidateBy({
      name: 'isNewPassword',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && isNewPassword(value),
        defaultMessage: (details) => `${details?.property} ${newPasswordRule}`,
      },
    }),
  );
