import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { AppError, type FieldError, invalidField, invalidFields } from '../errors/app-error.js';

const maxNestingLevels = 16;
/** Fields and items on all levels, far above what any route needs. Validating thousands would block the event loop. */
const maxValues = 500;

/** Validates bodies and queries against their DTO. Unknown fields are rejected, and the error lists all invalid ones. */
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

/** Whether Nest or class-transformer would drop the field, such as `toString`, before it could be rejected. */
function isDroppedSilently(field: string): boolean {
  return field === 'prototype' || field in Object.prototype;
}

/** class-transformer recurses into any object in the request; this recursion stops at the limits. */
function checkShape(value: unknown): void {
  let count = 0;
  const visit = (visited: unknown, level: number): void => {
    if (typeof visited !== 'object' || visited === null) return;
    if (level > maxNestingLevels) {
      throw new AppError('malformed-request', `The body must not be nested deeper than ${maxNestingLevels} levels.`);
    }
    const values: unknown[] = Object.values(visited);
    count += values.length;
    if (count > maxValues) {
      throw new AppError('malformed-request', `The request must not have more than ${maxValues} fields and items.`);
    }
    for (const inner of values) visit(inner, level + 1);
  };
  visit(value, 1);
}

function toAppError(errors: ValidationError[]): AppError {
  return invalidFields(errors.map(toFieldError));
}

function toFieldError({ property, constraints = {} }: ValidationError): FieldError {
  if ('whitelistValidation' in constraints) return { field: property, message: unknownField(property) };
  const [message = `${property} is invalid`] = Object.values(constraints);
  return { field: property, message: `${message}.` };
}

function unknownField(name: string): string {
  return name === '' ? 'Field names must not be empty.' : `${name.slice(0, 100)} is not a known field.`;
}
