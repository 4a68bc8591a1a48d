import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiPropertyOptional, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { maxDocumentPages, maxOcrLanguages } from '../../common/rules/document-limits.js';
import { OcrDocumentUrlDto, OcrImageUrlDto } from './ocr-document.dto.js';
import { confidenceGranularities } from './ocr-request.js';

const pagesAsText = { type: 'string', pattern: '^ *\\d{1,4}(-\\d{1,4})?( *, *\\d{1,4}(-\\d{1,4})?)* *$' } as const;

const ModelName = () => ApiProperty({ description: 'Id of the model.', example: 'tesseract', minLength: 1 });

const ConfidenceScores = (nullable: boolean) =>
  ApiPropertyOptional({
    type: String,
    nullable,
    description: 'Whether to return confidence scores, for pages only or also for words.',
    enum: confidenceGranularities,
    example: 'page',
  });

const OwnId = (nullable: boolean) =>
  ApiPropertyOptional({
    type: String,
    nullable,
    description: 'Accepted for compatibility; ignored.',
    example: 'request-1234',
    minLength: 0,
  });

const languageCode = { type: 'string', pattern: '^\\w{1,29}$' } as const;
const languagesAsText = { type: 'string', pattern: '^ *\\w{1,29}( *, *\\w{1,29}){0,9} *$' } as const;
const languagesDescription =
  "Keycard extension. Languages to expect, the most likely first; the model's own by default. Their data must be installed.";

const Extract = (part: 'header' | 'footer', nullable: boolean) =>
  ApiPropertyOptional({
    type: Boolean,
    nullable,
    description: `Whether to return running ${part}s in \`${part}\` instead of the Markdown; false by default.`,
    example: true,
  });

/** A parameter of Mistral's for a feature that no engine has. */
const Unsupported = (feature: string) =>
  applyDecorators(
    ApiPropertyOptional({
      type: Boolean,
      nullable: true,
      description: `${feature}: not supported by embedded models; null and false are accepted.`,
      enum: [false],
      example: false,
    }),
  );

@ApiSchema({ name: 'OcrRequest', description: 'A document to read.' })
@ApiExtraModels(OcrDocumentUrlDto, OcrImageUrlDto)
export class OcrRequestDto {
  @ModelName()
  model: string;

  @ApiProperty({
    description: 'The document, of at most 50 MB and 1,000 pages.',
    oneOf: [{ $ref: getSchemaPath(OcrDocumentUrlDto) }, { $ref: getSchemaPath(OcrImageUrlDto) }],
    example: { type: 'document_url', document_url: 'data:application/pdf;base64,JVBERi0xLjcK' },
  })
  document: OcrDocumentUrlDto | OcrImageUrlDto;

  @ApiPropertyOptional({
    description: 'Zero-based pages to read: an array, or a string such as `0,2-4`. Null means all.',
    oneOf: [
      {
        type: 'array',
        nullable: true,
        minItems: 1,
        maxItems: maxDocumentPages,
        items: { type: 'integer', minimum: 0, maximum: maxDocumentPages - 1 },
      },
      pagesAsText,
    ],
    example: [0, 1],
  })
  pages?: number[] | string | null;

  @ConfidenceScores(true)
  confidence_scores_granularity?: (typeof confidenceGranularities)[number] | null;

  @ApiPropertyOptional({
    description: languagesDescription,
    oneOf: [
      { type: 'array', nullable: true, minItems: 1, maxItems: maxOcrLanguages, items: languageCode },
      languagesAsText,
    ],
    example: ['deu', 'eng'],
  })
  languages?: string[] | string | null;

  @OwnId(true)
  id?: string | null;

  @Unsupported('Return images')
  include_image_base64?: false | null;

  @Unsupported('Maximum number of images')
  image_limit?: false | null;

  @Unsupported('Minimum size of images')
  image_min_size?: false | null;

  @Unsupported('Annotate images')
  bbox_annotation_format?: false | null;

  @Unsupported('Annotate the document')
  document_annotation_format?: false | null;

  @Unsupported('Instructions for the annotation')
  document_annotation_prompt?: false | null;

  @Unsupported('Return tables separately')
  table_format?: false | null;

  @Extract('header', true)
  extract_header?: boolean | null;

  @Extract('footer', true)
  extract_footer?: boolean | null;

  @ApiPropertyOptional({
    type: Boolean,
    nullable: true,
    description: "Accepted because Mistral's client always sends it; `blocks` of pages are always null.",
    example: true,
  })
  include_blocks?: boolean | null;
}

@ApiSchema({ name: 'OcrUpload', description: 'A document to read, as a form.' })
export class OcrUploadDto {
  @ApiProperty({
    type: 'string',
    format: 'binary',
    description: 'The document, of at most 50 MB and 1,000 pages. Its type is detected from its content.',
    example: 'invoice.pdf',
  })
  file: unknown;

  @ModelName()
  model: string;

  @ApiPropertyOptional({
    ...pagesAsText,
    description: 'Zero-based pages to read, such as `0,2-4`; all by default.',
    example: '0,2-4',
  })
  pages?: string;

  @ConfidenceScores(false)
  confidence_scores_granularity?: (typeof confidenceGranularities)[number];

  @ApiPropertyOptional({ ...languagesAsText, description: languagesDescription, example: 'deu,eng' })
  languages?: string;

  @OwnId(false)
  id?: string;

  @Extract('header', false)
  extract_header?: boolean;

  @Extract('footer', false)
  extract_footer?: boolean;
}
