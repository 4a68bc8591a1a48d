import { ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { AppError, type FieldError } from '../errors/app-error.js';

/** Checks bodies and queries against their DTO. Unknown fields are refused, and every wrong field is named. */
export function createValidationPipe(): ValidationPipe {
  return new ValidationPipe({
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    transform: true,
    stopAtFirstError: true,
    exceptionFactory: toAppError,
  });
}

function toAppError(errors: ValidationError[]): AppError {
  const fields = errors.map(toFieldError);
  return new AppError('validation-failed', fields.map(({ message }) => message).join('; '), { fields });
}

function toFieldError({ property, constraints = {} }: ValidationError): FieldError {
  if ('whitelistValidation' in constraints) return { field: property, message: `${property} is not known here` };
  const message = Object.values(constraints)[0] ?? `${property} is not valid`;
  return { field: property, message };
}
