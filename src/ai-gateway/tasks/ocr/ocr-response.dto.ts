import { ApiProperty, ApiPropertyOptional, ApiSchema, type SchemaObject } from '@nestjs/swagger';
import type { PageWarning } from '../../../engines/ocr/ocr-engine.js';
import {
  maxDocumentBytes,
  maxDocumentPages,
  maxOcrLanguages,
  maxPageImages,
} from '../../../common/rules/document-limits.js';

const score = { minimum: 0, maximum: 1, example: 0.93 };

/** A field of Mistral's that embedded models leave empty. */
const EmptyList = (what: string, items: SchemaObject = { type: 'object', additionalProperties: true }) =>
  ApiProperty({
    type: 'array',
    items,
    description: `${what} Upstream models may return them; empty with others.`,
    minItems: 0,
    example: [],
  });

const RunningText = (part: 'header' | 'footer', example: string) =>
  ApiProperty({
    type: String,
    nullable: true,
    required: false,
    description:
      `Running ${part}: text in the margin that pages nearby repeat, or a page number. ` +
      `Null if there is none, and without \`extract_${part}\`, when it is part of the Markdown.`,
    minLength: 1,
    example,
  });

@ApiSchema({ name: 'OcrPageDimensions', description: 'Size of the image that was read.' })
export class OcrPageDimensionsDto {
  @ApiProperty({ type: 'integer', description: 'Pixels per inch.', minimum: 1, example: 200 })
  dpi: number;

  @ApiProperty({ type: 'integer', description: 'In pixels.', minimum: 1, example: 2339 })
  height: number;

  @ApiProperty({ type: 'integer', description: 'In pixels.', minimum: 1, example: 1654 })
  width: number;
}

@ApiSchema({ name: 'OcrWordConfidence', description: 'Confidence of one word.' })
export class OcrWordConfidenceDto {
  @ApiProperty({ description: 'The word.', minLength: 1, example: 'Invoice' })
  text: string;

  @ApiProperty({ description: 'From 0 to 1.', ...score })
  confidence: number;

  @ApiProperty({
    type: 'integer',
    description: "Start of the word in the page's Markdown, in UTF-16 code units.",
    minimum: 0,
    example: 0,
  })
  start_index: number;
}

@ApiSchema({ name: 'OcrConfidenceScores', description: 'Confidence of a page.' })
export class OcrConfidenceScoresDto {
  @ApiProperty({ description: 'Mean confidence of its words.', ...score })
  average_page_confidence_score: number;

  @ApiProperty({ description: 'Lowest confidence of its words.', ...score })
  minimum_page_confidence_score: number;

  @ApiPropertyOptional({
    type: [OcrWordConfidenceDto],
    description: 'Confidence of each word, in the order of the Markdown; only for the granularity `word`.',
    minItems: 1,
  })
  word_confidence_scores?: OcrWordConfidenceDto[];
}

const Corner = (description: string, example: number) =>
  ApiProperty({ type: 'integer', nullable: true, description, minimum: 0, example });

@ApiSchema({
  name: 'OcrImage',
  description: "A picture on a page. Its corners are in pixels of the page's `dimensions`.",
})
export class OcrImageDto {
  @ApiProperty({
    description: 'Name in the Markdown: `![img-0.jpeg](img-0.jpeg)`. Unique in the response.',
    minLength: 1,
    example: 'img-0.jpeg',
  })
  id: string;

  @Corner('Left edge.', 128)
  top_left_x: number | null;

  @Corner('Top edge.', 412)
  top_left_y: number | null;

  @Corner('Right edge.', 844)
  bottom_right_x: number | null;

  @Corner('Bottom edge.', 890)
  bottom_right_y: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    required: false,
    description: 'The picture, as a `data:` URL; null without `include_image_base64`, or if it is too large.',
    minLength: 1,
    example: 'data:image/jpeg;base64,/9j/4AAQSkZJRg==',
  })
  image_base64?: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    required: false,
    description: 'Annotation of the picture. Upstream models may return it; null with others.',
    minLength: 0,
    example: null,
  })
  image_annotation?: string | null;
}

@ApiSchema({ name: 'OcrPageWarning', description: 'Why a person or another model should check a page.' })
export class OcrPageWarningDto {
  @ApiProperty({
    description:
      "`no_text_found`: no text was found, although the page isn't blank. `low_confidence`: text may be wrong.",
    enum: ['no_text_found', 'low_confidence'] satisfies PageWarning[],
    example: 'low_confidence',
  })
  code: PageWarning;

  @ApiProperty({
    description: 'The reason, and what to do.',
    minLength: 1,
    example: 'Much of the text may be wrong. Send a sharper scan, or check the text.',
  })
  message: string;
}

@ApiSchema({ name: 'OcrPageError', description: 'Why a page could not be read.' })
export class OcrPageErrorDto {
  @ApiProperty({ description: 'The reason.', minLength: 1, example: 'Page 3 took longer than 60 s to read.' })
  message: string;
}

@ApiSchema({ name: 'OcrPage', description: 'One page.' })
export class OcrPageDto {
  @ApiProperty({
    type: 'integer',
    description: 'Zero-based position in the document.',
    minimum: 0,
    maximum: maxDocumentPages - 1,
    example: 0,
  })
  index: number;

  @ApiProperty({ description: 'The text, as Markdown.', minLength: 0, example: '# Invoice\n\nDue in 30 days' })
  markdown: string;

  @ApiProperty({
    type: [OcrImageDto],
    description: `Pictures on the page, in the order of their references in the Markdown. Models inside Keycard find up to ${maxPageImages} on a PDF page, and none in images.`,
    minItems: 0,
  })
  images: OcrImageDto[];

  @EmptyList('Tables outside the Markdown.')
  tables: object[];

  @EmptyList('Links.', { type: 'string', minLength: 1 })
  hyperlinks: string[];

  @RunningText('header', 'Harbour report 2024')
  header: string | null;

  @RunningText('footer', 'Page 7')
  footer: string | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    nullable: true,
    required: false,
    description: 'Positions of blocks. Upstream models may return them; null with others.',
    minItems: 0,
    example: null,
  })
  blocks: object[] | null;

  @ApiProperty({
    type: OcrPageDimensionsDto,
    nullable: true,
    description: 'Size of the image that was read; null if the page could not be read.',
  })
  dimensions: OcrPageDimensionsDto | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    required: false,
    description:
      'Keycard extension. Mean confidence of the words, weighted by length: 1 for a digital page, null without words.',
    ...score,
  })
  confidence: number | null;

  @ApiProperty({
    type: OcrPageWarningDto,
    nullable: true,
    required: false,
    description: 'Keycard extension. Null for pages that were read well, and for blank pages.',
  })
  warning: OcrPageWarningDto | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', pattern: '^\\w{1,29}$' },
    required: false,
    description:
      'Keycard extension. Languages of the data that the page was recognized with, the main one first; empty for a page with digital text.',
    example: ['deu'],
    maxItems: maxOcrLanguages,
  })
  languages: readonly string[];

  @ApiProperty({
    type: OcrConfidenceScoresDto,
    nullable: true,
    required: false,
    description: 'Confidence of the page; null without `confidence_scores_granularity`, and for a page without words.',
  })
  confidence_scores: OcrConfidenceScoresDto | null;

  @ApiPropertyOptional({
    type: OcrPageErrorDto,
    description: 'Only for a page that could not be read, while others could.',
  })
  error?: OcrPageErrorDto;
}

@ApiSchema({ name: 'OcrUsage', description: 'Usage of the request.' })
export class OcrUsageDto {
  @ApiProperty({
    type: 'integer',
    description: 'Number of pages read.',
    minimum: 0,
    maximum: maxDocumentPages,
    example: 1,
  })
  pages_processed: number;

  @ApiProperty({
    type: 'integer',
    description: 'Size of the document, in bytes.',
    minimum: 1,
    maximum: maxDocumentBytes,
    example: 48_213,
  })
  doc_size_bytes: number;
}

@ApiSchema({ name: 'OcrResponse', description: 'The text of a document, page by page.' })
export class OcrResponseDto {
  @ApiProperty({
    type: [OcrPageDto],
    description: 'The requested pages, in ascending order.',
    minItems: 1,
    maxItems: maxDocumentPages,
  })
  pages: OcrPageDto[];

  @ApiProperty({ description: 'Id or alias of the model, from the request.', minLength: 1, example: 'tesseract' })
  model: string;

  @ApiProperty({
    type: String,
    nullable: true,
    required: false,
    description: 'Annotation of the document. Upstream models may return one; null with others.',
    minLength: 0,
    example: null,
  })
  document_annotation: string | null;

  @ApiProperty({ description: 'Usage of the request.' })
  usage_info: OcrUsageDto;
}
