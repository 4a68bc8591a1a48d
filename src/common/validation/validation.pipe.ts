import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { AppError, type FieldError, invalidField } from '../errors/app-error.js';

const deepestNesting = 16;

/** Checks bodies and queries against their DTO. Unknown fields are refused, and every wrong field is named. */
export class RequestValidationPipe extends ValidationPipe {
  constructor() {
    super({
      whitelist: true,
      forbidNonWhitelisted: true,
      forbidUnknownValues: true,
      transform: true,
      stopAtFirstError: true,
      exceptionFactory: toAppError,
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const dropped = Object.keys(Object(value) as object).find(isDroppedSilently);
    if (dropped !== undefined) throw invalidField(dropped, `${dropped} is not known here`);
    if (isNestedDeeperThan(deepestNesting, value)) {
      throw new AppError('malformed-request', `The body must not be nested deeper than ${deepestNesting} levels.`);
    }
    return (await super.transform(value, metadata)) as unknown;
  }
}

/** Nest and class-transformer drop fields such as `prototype` and `toString` before they could be found unknown. */
function isDroppedSilently(field: string): boolean {
  return field === 'prototype' || field in Object.prototype;
}

/** class-transformer recurses into whatever is sent; this recursion ends at the limit. */
function isNestedDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isNestedDeeperThan(levels - 1, inner));
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
