import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { AppError, type FieldError, invalidField } from '../errors/app-error.js';

const deepestNesting = 16;
/** Fields and items on all levels: many more than any route has. Validating thousands would block the event loop. */
const mostValues = 500;

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
    checkShape(value);
    const dropped = Object.keys(Object(value) as object).find(isDroppedSilently);
    if (dropped !== undefined) throw invalidField(dropped, unknownField(dropped));
    return (await super.transform(value, metadata)) as unknown;
  }
}

/** Nest and class-transformer drop fields such as `prototype` and `toString` before they could be found unknown. */
function isDroppedSilently(field: string): boolean {
  return field === 'prototype' || field in Object.prototype;
}

/** class-transformer recurses into any object that is sent; this recursion ends at the limits. */
function checkShape(value: unknown): void {
  let count = 0;
  const visit = (visited: unknown, level: number): void => {
    if (typeof visited !== 'object' || visited === null) return;
    if (level > deepestNesting) {
      throw new AppError('malformed-request', `The body must not be nested deeper than ${deepestNesting} levels.`);
    }
    const values: unknown[] = Object.values(visited);
    count += values.length;
    if (count > mostValues) {
      throw new AppError('malformed-request', `The request must not have more than ${mostValues} fields and items.`);
    }
    for (const inner of values) visit(inner, level + 1);
  };
  visit(value, 1);
}

function toAppError(errors: ValidationError[]): AppError {
  const fields = errors.map(toFieldError);
  return new AppError('validation-failed', fields.map(({ message }) => message).join('; '), { fields });
}

function toFieldError({ property, constraints = {} }: ValidationError): FieldError {
  if ('whitelistValidation' in constraints) return { field: property, message: unknownField(property) };
  const message = Object.values(constraints)[0] ?? `${property} is not valid`;
  return { field: property, message };
}

function unknownField(name: string): string {
  return name === '' ? 'A field without a name is not known here' : `${name.slice(0, 100)} is not known here`;
}
