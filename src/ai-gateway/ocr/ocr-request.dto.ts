import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiPropertyOptional, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { OcrDocumentUrlDto, OcrImageUrlDto } from './ocr-document.dto.js';
import { confidenceGranularities, largestPageCount } from './ocr-request.js';

const pagesAsText = { type: 'string', pattern: '^ *\\d{1,4}(-\\d{1,4})?( *, *\\d{1,4}(-\\d{1,4})?)* *$' } as const;

const ModelName = () => ApiProperty({ description: 'Id of the model.', example: 'tesseract', minLength: 1 });

const ConfidenceScores = (nullable: boolean) =>
  ApiPropertyOptional({
    type: String,
    nullable,
    description: 'Whether to answer how sure the model is, of each page or also of each word.',
    enum: confidenceGranularities,
    example: 'page',
  });

const OwnId = (nullable: boolean) =>
  ApiPropertyOptional({
    type: String,
    nullable,
    description: 'Your id of the request; accepted and not used.',
    example: 'request-1234',
    minLength: 0,
  });

/** A parameter of Mistral's that no model here can honour: it may be there, but may not ask for anything. */
const NotHonoured = (what: string) =>
  applyDecorators(
    ApiPropertyOptional({
      type: Boolean,
      nullable: true,
      description: `${what}: no model here can do this; null and false are accepted.`,
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
    description: 'Which pages to read, counted from 0: an array, or a text like `0,2-4`; null for all.',
    oneOf: [
      {
        type: 'array',
        nullable: true,
        minItems: 1,
        maxItems: largestPageCount,
        items: { type: 'integer', minimum: 0, maximum: largestPageCount - 1 },
      },
      pagesAsText,
    ],
    example: [0, 1],
  })
  pages?: number[] | string | null;

  @ConfidenceScores(true)
  confidence_scores_granularity?: (typeof confidenceGranularities)[number] | null;

  @OwnId(true)
  id?: string | null;

  @NotHonoured('Return the images of a page')
  include_image_base64?: false | null;

  @NotHonoured('Return so many images')
  image_limit?: false | null;

  @NotHonoured('Return images of at least this size')
  image_min_size?: false | null;

  @NotHonoured('Describe the images')
  bbox_annotation_format?: false | null;

  @NotHonoured('Describe the document')
  document_annotation_format?: false | null;

  @NotHonoured('Describe the document as asked')
  document_annotation_prompt?: false | null;

  @NotHonoured('Return tables apart from the text')
  table_format?: false | null;

  @NotHonoured('Return page headers apart from the text')
  extract_header?: false | null;

  @NotHonoured('Return page footers apart from the text')
  extract_footer?: false | null;

  @ApiPropertyOptional({
    type: Boolean,
    nullable: true,
    description: 'Accepted, since the client of Mistral sends it by itself; the `blocks` of a page are always null.',
    example: true,
  })
  include_blocks?: boolean | null;
}

@ApiSchema({ name: 'OcrUpload', description: 'A document to read, as a form.' })
export class OcrUploadDto {
  @ApiProperty({
    type: 'string',
    format: 'binary',
    description: 'The document, of at most 50 MB and 1,000 pages; its content decides of which type it is.',
    example: 'invoice.pdf',
  })
  file: unknown;

  @ModelName()
  model: string;

  @ApiPropertyOptional({
    ...pagesAsText,
    description: 'Which pages to read, counted from 0, like `0,2-4`; left out: all.',
    example: '0,2-4',
  })
  pages?: string;

  @ConfidenceScores(false)
  confidence_scores_granularity?: (typeof confidenceGranularities)[number];

  @OwnId(false)
  id?: string;
}
