import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { maxLeakTextLength, maxLeakUrlLength } from '../../common/rules/leak-rules.js';
import { defaultTokenType, maxReports, maxTokenLength } from '../read-reports.js';

const exampleToken = 'kc_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAM';
const labels = ['true_positive', 'false_positive'] as const;

@ApiSchema({
  name: 'LeakedKeyReport',
  description: "A secret that was found, in the format of GitHub's secret scanning. Unknown fields are ignored.",
})
export class LeakedKeyReportDto {
  @ApiProperty({ description: 'The secret.', example: exampleToken, maxLength: maxTokenLength })
  token: string;

  @ApiPropertyOptional({
    description: 'Name of the kind of secret, which the response repeats.',
    example: defaultTokenType,
    default: defaultTokenType,
    maxLength: maxLeakTextLength,
  })
  type?: string;

  @ApiPropertyOptional({
    description: 'Where it was found: an http or https URL, or empty.',
    example: 'https://github.com/example/repository/blob/main/.env',
    maxLength: maxLeakUrlLength,
  })
  url?: string;

  @ApiPropertyOptional({
    description: 'Kind of place, such as `commit`.',
    example: 'content',
    maxLength: maxLeakTextLength,
  })
  source?: string;
}

@ApiSchema({ name: 'LeakLabel', description: 'Whether a reported secret is an API key.' })
export class LeakLabelDto {
  @ApiProperty({ description: 'The secret, as reported.', example: exampleToken, maxLength: maxTokenLength })
  token_raw: string;

  @ApiProperty({
    description: 'The kind of secret, as reported.',
    example: defaultTokenType,
    minLength: 1,
    maxLength: maxLeakTextLength,
  })
  token_type: string;

  @ApiProperty({
    description: '`true_positive` for a secret of an API key, also after the report revoked it.',
    enum: labels,
    example: 'true_positive',
  })
  label: (typeof labels)[number];
}

/** Schemas of the body and the response, which are arrays, so that they have names in OpenAPI. */
export const leakedKeySchemas = {
  LeakedKeyReportList: {
    type: 'array' as const,
    items: { $ref: '#/components/schemas/LeakedKeyReport' },
    maxItems: maxReports,
    description: 'Secrets that were found.',
  },
  LeakLabelList: {
    type: 'array' as const,
    items: { $ref: '#/components/schemas/LeakLabel' },
    maxItems: maxReports,
    description: 'A label for each report, in the same order.',
  },
};
