import { ApiSchema } from '@nestjs/swagger';

@ApiSchema({ name: 'FieldError', description: 'What was wrong with one field of the request.' })
export class FieldErrorDto {
  /**
   * Name of the field or query parameter.
   * @example "name"
   */
  field: string;

  /**
   * What is allowed.
   * @example "name must have 2 to 100 characters"
   */
  message: string;
}

@ApiSchema({ name: 'Problem', description: 'An error of a management route (RFC 9457).' })
export class ProblemDto {
  /**
   * Identifies the kind of error: `urn:keycard:error:` and the code.
   * @example "urn:keycard:error:validation-failed"
   */
  type: string;

  /**
   * The kind of error in words, the same each time.
   * @example "The request is not valid"
   */
  title: string;

  /**
   * HTTP status code.
   * @example 400
   */
  status: number;

  /**
   * What went wrong this time.
   * @example "name must have 2 to 100 characters"
   */
  detail: string;

  /**
   * The kind of error for programs.
   * @example "validation-failed"
   */
  code: string;

  /**
   * Identifies this request in the log; also in the header `x-request-id`.
   * @example "0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f"
   */
  requestId: string;

  /** The fields at fault; with status 400 only. */
  errors?: FieldErrorDto[];
}
