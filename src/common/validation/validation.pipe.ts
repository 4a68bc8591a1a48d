import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { AppError, type FieldError, invalidField, invalidFields, maxFieldNameLength } from '../errors/app-error.js';

const maxNestingLevels = 16;
/** Fields and nested items on all levels, far above what any route needs. Validating thousands would block the event loop. */
const maxValues = 500;
/** Texts and numbers in lists, which take a fraction of that. A list of limits can name thousands of models. */
const maxScalarItems = 4000;

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
    // Nest removes some of these from the value itself.
    const dropped = findDroppedField(value);
    const validated: unknown = await super.transform(value, metadata);
    if (dropped !== undefined) throw invalidField(dropped, unknownField(dropped));
    return validated;
  }
}

/** The path of a field that would be dropped silently. */
function findDroppedField(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const dropped = isDroppedSilently(name) ? '' : findDroppedField(inner);
    if (dropped !== undefined) return dropped === '' ? name : `${name}.${dropped}`;
  }
  return undefined;
}

/** Whether Nest or class-transformer would drop the field, such as `toString`, before it could be rejected. */
function isDroppedSilently(field: string): boolean {
  return field === 'prototype' || field in Object.prototype;
}

/** class-transformer recurses into any object in the request; this recursion stops at the limits. */
function checkShape(value: unknown): void {
  let count = 0;
  let scalarItems = 0;
  const visit = (visited: unknown, level: number): void => {
    if (typeof visited !== 'object' || visited === null) return;
    if (level > maxNestingLevels) {
      throw new AppError('malformed-request', `The body must not be nested deeper than ${maxNestingLevels} levels.`);
    }
    const values: unknown[] = Object.values(visited);
    const scalars = Array.isArray(visited) ? values.filter(isScalar).length : 0;
    scalarItems += scalars;
    count += values.length - scalars;
    if (count > maxValues || scalarItems > maxScalarItems) {
      throw new AppError(
        'malformed-request',
        `The request must not have more than ${maxValues} fields and objects, and ${maxScalarItems} texts and numbers in lists.`,
      );
    }
    for (const inner of values) visit(inner, level + 1);
  };
  visit(value, 1);
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function toAppError(errors: ValidationError[]): AppError {
  return invalidFields(errors.flatMap((error) => toFieldErrors(error)));
}

/** @param path of the enclosing object, such as `limits.1.`; messages start with the name of the field */
function toFieldErrors({ property, constraints, children = [] }: ValidationError, path = ''): FieldError[] {
  const field = path + property;
  if (constraints === undefined) return children.flatMap((child) => toFieldErrors(child, `${field}.`));
  if ('whitelistValidation' in constraints) return [{ field, message: unknownField(field) }];
  const [message = `${property} is invalid`] = Object.values(constraints);
  return [{ field, message: `${path}${message}.` }];
}

function unknownField(name: string): string {
  return name === '' ? 'Field names must not be empty.' : `${name.slice(0, maxFieldNameLength)} is not a known field.`;
}
