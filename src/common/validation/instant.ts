import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsDate, ValidateIf } from 'class-validator';

const format = /^(2\d{3}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;
const message = '$property must be an instant with its offset, such as 2026-01-31T09:30:00Z, in the years 2000 to 2999';

/**
 * An instant as RFC 3339 writes it, seconds being optional, in the years 2000 to 2999.
 *
 * @returns undefined for any other text, such as one without an offset or of a day that does not exist
 */
export function parseInstant(text: string): Date | undefined {
  const [, minute, second = ':00', offset = ''] = format.exec(text) ?? [];
  if (minute === undefined || Number(offset.slice(1, 3)) > 23) return undefined;
  const local = new Date(`${minute}${second}Z`);
  const instant = new Date(`${minute}${second}${offset}`);
  // JavaScript takes the 30th of February for the 2nd of March, and 24:00 for the next day.
  const exists = !Number.isNaN(local.getTime()) && local.toISOString().startsWith(minute);
  return exists && !Number.isNaN(instant.getTime()) ? instant : undefined;
}

interface InstantDocumentation {
  description: string;
  example: string;
}

/** An optional instant in a query string; the property holds a `Date`. */
export const QueryInstant = (documentation: InstantDocumentation) =>
  optionalInstant(documentation, `${message} (a + in a URL is written %2B)`);

/** An optional instant in a JSON body; the property holds a `Date`. */
export const BodyInstant = (documentation: InstantDocumentation) => optionalInstant(documentation, message);

function optionalInstant(documentation: InstantDocumentation, message: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ ...documentation, type: String, format: 'date-time' }),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (parseInstant(value) ?? value) : value)),
    // Left out, not null: that is no instant.
    ValidateIf((_dto, value) => value !== undefined),
    IsDate({ message }),
  );
}
