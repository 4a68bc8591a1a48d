import {
  ApiExtraModels,
  ApiProperty,
  ApiPropertyOptional,
  type ApiPropertyOptions,
  ApiSchema,
  getSchemaPath,
} from '@nestjs/swagger';
import { maxDocumentPages, maxOcrLanguages, maxPageImages } from '../../../common/rules/document-limits.js';
import { OcrDocumentUrlDto, OcrFileDto, OcrImageUrlDto } from './ocr-document.dto.js';
import { confidenceGranularities } from './ocr-request.js';

const pagesAsText = { type: 'string', pattern: '^ *\\d{1,4}(-\\d{1,4})?( *, *\\d{1,4}(-\\d{1,4})?)* *$' } as const;

const ModelName = () => ApiProperty({ description: 'Id of the model.', example: 'tesseract', minLength: 1 });

const confidenceScores = 'Whether to return confidence scores, for pages only or also for words.';

const OwnId = (nullable: boolean) =>
  ApiPropertyOptional({
    type: String,
    nullable,
    description: 'Accepted for compatibility; ignored.',
    ...(nullable && { example: 'request-1234' }),
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
    ...(nullable && { example: true }),
  });

const IncludeImages = (nullable: boolean) =>
  ApiPropertyOptional({
    type: Boolean,
    nullable,
    description: 'Whether to return the pictures of PDF pages in `image_base64`; false by default.',
    ...(nullable && { example: true }),
  });

const ImageLimit = (nullable: boolean) =>
  ApiPropertyOptional({
    type: 'integer',
    nullable,
    description: `Maximum number of pictures in the response. A page has at most ${maxPageImages}.`,
    minimum: 0,
    ...(nullable && { example: 10 }),
  });

const ImageMinSize = (nullable: boolean) =>
  ApiPropertyOptional({
    type: 'integer',
    nullable,
    description: "Minimum width and height of pictures, in pixels of the page's `dimensions`; 40 by default.",
    minimum: 0,
    ...(nullable && { example: 100 }),
  });

/** A parameter of Mistral's for a feature that no engine has. It has no example, so consoles don't send it. */
const UpstreamOnly = (description: string, schema: ApiPropertyOptions) =>
  ApiPropertyOptional({
    ...schema,
    nullable: true,
    description: `${description} Only upstream models support it; others accept null and false.`,
  });

const anyObject = { type: 'object', additionalProperties: true } as const;

@ApiSchema({ name: 'OcrRequest', description: 'A document to read.' })
@ApiExtraModels(OcrDocumentUrlDto, OcrImageUrlDto, OcrFileDto)
export class OcrRequestDto {
  @ModelName()
  model: string;

  @ApiProperty({
    description: 'The document, of at most 50 MB and 1,000 pages.',
    oneOf: [OcrDocumentUrlDto, OcrImageUrlDto, OcrFileDto].map((dto) => ({ $ref: getSchemaPath(dto) })),
    example: { type: 'document_url', document_url: 'data:application/pdf;base64,JVBERi0xLjcK' },
  })
  document: OcrDocumentUrlDto | OcrImageUrlDto | OcrFileDto;

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

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: `${confidenceScores} Only upstream models support \`block\`.`,
    enum: [...confidenceGranularities, 'block'],
    example: 'page',
  })
  confidence_scores_granularity?: (typeof confidenceGranularities)[number] | 'block' | null;

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

  @IncludeImages(true)
  include_image_base64?: boolean | null;

  @ImageLimit(true)
  image_limit?: number | null;

  @ImageMinSize(true)
  image_min_size?: number | null;

  @UpstreamOnly('Response format of image annotations.', anyObject)
  bbox_annotation_format?: object | null;

  @UpstreamOnly('Response format of the document annotation.', anyObject)
  document_annotation_format?: object | null;

  @UpstreamOnly('Instructions for the document annotation.', { type: String, minLength: 0 })
  document_annotation_prompt?: string | null;

  @UpstreamOnly('Format of tables, which are then returned separately.', { type: String, enum: ['markdown', 'html'] })
  table_format?: 'markdown' | 'html' | null;

  @Extract('header', true)
  extract_header?: boolean | null;

  @Extract('footer', true)
  extract_footer?: boolean | null;

  @ApiPropertyOptional({
    type: Boolean,
    nullable: true,
    description: 'Whether to return `blocks` of pages. Only upstream models do; others ignore it.',
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
  })
  pages?: string;

  @ApiPropertyOptional({ type: String, description: confidenceScores, enum: confidenceGranularities })
  confidence_scores_granularity?: (typeof confidenceGranularities)[number];

  @ApiPropertyOptional({ ...languagesAsText, description: `${languagesDescription} Separated by commas.` })
  languages?: string;

  @OwnId(false)
  id?: string;

  @Extract('header', false)
  extract_header?: boolean;

  @Extract('footer', false)
  extract_footer?: boolean;

  @IncludeImages(false)
  include_image_base64?: boolean;

  @ImageLimit(false)
  image_limit?: number;

  @ImageMinSize(false)
  image_min_size?: number;
}
