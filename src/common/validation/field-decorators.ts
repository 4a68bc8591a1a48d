import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsIn, IsString, ValidateBy, ValidateIf } from 'class-validator';
import { isEmailAddress, maxEmailLength } from '../rules/email-address.js';
import { isTag, maxTagLength, normalizeTag } from '../rules/tag-rules.js';
import { countCodePoints, isName, isPrintable, nameRule } from '../rules/text-rules.js';

/**
 * A field that may be omitted.
 *
 * @param options.nullable also accepts null
 */
export const OptionalField = ({ nullable = false } = {}) =>
  ValidateIf((_object: object, value: unknown) => value !== undefined && !(nullable && value === null));

/** Trims leading and trailing whitespace before validation. */
export const Trimmed = () =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

/** The id of a resource. In lower case, as in the database, because ids are also compared and hashed as text. */
export const IsId = () =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value)),
    IsString(),
  );

/** One of a fixed set of values. */
export const IsOneOf = (values: readonly string[]) =>
  IsIn(values, { message: `$property must be one of ${values.join(', ')}` });

/** The name of a user, API key, role or organization. */
export const IsName = () =>
  ValidateBy({
    name: 'isName',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isName(value),
      defaultMessage: (details) => `${details?.property} ${nameRule}`,
    },
  });

/**
 * A tag of an API key, case-insensitive.
 *
 * @param options.each whether the field is an array of tags
 * @param options.noun what the field is, for errors
 */
export const IsTag = ({ each = false, noun = 'one tag' } = {}) =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (each && Array.isArray(value) ? value.map(toTag) : toTag(value))),
    ValidateBy(
      {
        name: 'isTag',
        validator: {
          validate: (value: unknown) => typeof value === 'string' && isTag(value),
          defaultMessage: (details) =>
            `${details?.property} must be ${noun} of 1 to ${maxTagLength} characters, without commas or invisible characters`,
        },
      },
      { each },
    ),
  );

const toTag = (value: unknown) => (typeof value === 'string' ? normalizeTag(value) : value);

/** An email. */
export const IsEmailAddress = () =>
  ValidateBy({
    name: 'isEmailAddress',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isEmailAddress(value),
      defaultMessage: (details) =>
        `${details?.property} must be a valid email of at most ${maxEmailLength} characters, without invisible or look-alike characters`,
    },
  });

/** Any text with a length in UTF-16 units, such as an existing password. */
export function HasLength(min: number, max: number): PropertyDecorator {
  return ValidateBy({
    name: 'hasLength',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && value.length >= min && value.length <= max,
      defaultMessage: (details) => `${details?.property} must have ${min} to ${max} characters`,
    },
  });
}

/**
 * Printable text with a length in code points.
 *
 * @param options.each whether the field is an array of texts
 */
export function HasCodePoints(min: number, max: number, { each = false } = {}): PropertyDecorator {
  const range = min === 0 ? `at most ${max}` : `${min} to ${max}`;
  return ValidateBy(
    {
      name: 'hasCodePoints',
      validator: {
        validate: (value: unknown) => {
          if (typeof value !== 'string' || !isPrintable(value)) return false;
          const count = countCodePoints(value);
          return count >= min && count <= max;
        },
        defaultMessage: (details) => `${details?.property} must have ${range} characters, without control characters`,
      },
    },
    { each },
  );
}
