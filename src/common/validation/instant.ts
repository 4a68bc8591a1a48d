import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsDate, ValidateBy } from 'class-validator';
import { OptionalField } from './field-decorators.js';

const format = /^(2\d{3}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;
const message =
  '$property must be a date and time with a UTC offset, such as 2026-01-31T09:30:00Z, in the years 2000 to 2999';

/**
 * Parses an RFC 3339 timestamp in the years 2000 to 2999. Seconds are optional.
 *
 * @returns undefined for any other text, such as one without an offset or with a day that doesn't exist
 */
export function parseInstant(text: string): Date | undefined {
  const [, minute, second = ':00', offset = ''] = format.exec(text) ?? [];
  if (minute === undefined || Number(offset.slice(1, 3)) > 23) return undefined;
  const local = new Date(`${minute}${second}Z`);
  const instant = new Date(`${minute}${second}${offset}`);
  // JavaScript reads February 30 as March 2, and 24:00 as the next day.
  const exists = !Number.isNaN(local.getTime()) && local.toISOString().startsWith(minute);
  return exists && !Number.isNaN(instant.getTime()) ? instant : undefined;
}

interface InstantDocumentation {
  description: string;
  example?: string;
}

/** An optional timestamp in a query string, parsed to a `Date`. */
export const QueryInstant = (documentation: InstantDocumentation) =>
  optionalInstant(documentation, `${message} (in a URL, + is written as %2B)`);

/** An optional timestamp in a JSON body, parsed to a `Date`. */
export const BodyInstant = (documentation: InstantDocumentation) => optionalInstant(documentation, message);

/** Like `BodyInstant`, but also accepts null. */
export const NullableBodyInstant = (documentation: InstantDocumentation) =>
  optionalInstant({ ...documentation, nullable: true }, `${message}, or null`);

/** A timestamp that stays text. It's in the same years in UTC, so that a client can send it again as it is returned. */
export const IsInstantText = () =>
  ValidateBy({ name: 'isInstantText', validator: { validate: isInstantText } }, { message });

function isInstantText(value: unknown): boolean {
  const instant = typeof value === 'string' ? parseInstant(value) : undefined;
  return instant !== undefined && parseInstant(instant.toISOString()) !== undefined;
}

function optionalInstant(
  documentation: InstantDocumentation & { nullable?: boolean },
  message: string,
): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ ...documentation, type: String, format: 'date-time' }),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (parseInstant(value) ?? value) : value)),
    OptionalField(documentation),
    IsDate({ message }),
  );
}
