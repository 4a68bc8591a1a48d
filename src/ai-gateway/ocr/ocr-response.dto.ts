import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { largestDocumentBytes } from './body/document-limit.js';
import { largestPageCount } from './ocr-request.js';

const score = { minimum: 0, maximum: 1, example: 0.93 };

/** A field of Mistral's that is always empty here. */
const AlwaysEmpty = (what: string) =>
  ApiProperty({
    type: 'array',
    items: { type: 'string', minLength: 1 },
    description: `Always empty: ${what} are part of the Markdown, or not returned.`,
    maxItems: 0,
    example: [],
  });

const AlwaysNull = (what: string) =>
  ApiProperty({ type: String, nullable: true, description: `Always null: ${what}.`, enum: [null], example: null });

@ApiSchema({ name: 'OcrPageDimensions', description: 'Size of the image that was read.' })
export class OcrPageDimensionsDto {
  @ApiProperty({ type: 'integer', description: 'Pixels per inch.', minimum: 1, example: 200 })
  dpi: number;

  @ApiProperty({ type: 'integer', description: 'In pixels.', minimum: 1, example: 2339 })
  height: number;

  @ApiProperty({ type: 'integer', description: 'In pixels.', minimum: 1, example: 1654 })
  width: number;
}

@ApiSchema({ name: 'OcrWordConfidence', description: 'How sure the model is of one word.' })
export class OcrWordConfidenceDto {
  @ApiProperty({ description: 'The word.', minLength: 1, example: 'Invoice' })
  text: string;

  @ApiProperty({ description: 'From 0 to 1.', ...score })
  confidence: number;

  @ApiProperty({
    type: 'integer',
    description: "Where the word starts in the page's Markdown, in UTF-16 units.",
    minimum: 0,
    example: 0,
  })
  start_index: number;
}

@ApiSchema({ name: 'OcrConfidenceScores', description: 'How sure the model is of a page.' })
export class OcrConfidenceScoresDto {
  @ApiProperty({ description: 'Mean over the words.', ...score })
  average_page_confidence_score: number;

  @ApiProperty({ description: 'Of the least sure word.', ...score })
  minimum_page_confidence_score: number;

  @ApiPropertyOptional({
    type: [OcrWordConfidenceDto],
    description: 'Of each word, in the order of the Markdown; only when asked for.',
    minItems: 1,
  })
  word_confidence_scores?: OcrWordConfidenceDto[];
}

@ApiSchema({ name: 'OcrPageError', description: 'Why a page could not be read.' })
export class OcrPageErrorDto {
  @ApiProperty({ description: 'In words.', minLength: 1, example: 'Page 3 took longer than 60 s to read.' })
  message: string;
}

@ApiSchema({ name: 'OcrPage', description: 'One page.' })
export class OcrPageDto {
  @ApiProperty({
    type: 'integer',
    description: 'Place in the document, from 0.',
    minimum: 0,
    maximum: largestPageCount - 1,
    example: 0,
  })
  index: number;

  @ApiProperty({ description: 'The text, as Markdown.', minLength: 0, example: '# Invoice\n\nDue in 30 days' })
  markdown: string;

  @AlwaysEmpty('images')
  images: string[];

  @AlwaysEmpty('tables')
  tables: string[];

  @AlwaysEmpty('links')
  hyperlinks: string[];

  @AlwaysNull('it is part of the Markdown')
  header: string | null;

  @AlwaysNull('it is part of the Markdown')
  footer: string | null;

  @AlwaysNull('no model here tells where blocks lie')
  blocks: string | null;

  @ApiProperty({
    type: OcrPageDimensionsDto,
    nullable: true,
    description: 'Size of the image that was read; null when the page could not be read.',
  })
  dimensions: OcrPageDimensionsDto | null;

  @ApiProperty({
    type: OcrConfidenceScoresDto,
    nullable: true,
    description: 'How sure the model is; null when not asked for, and of a page without words.',
  })
  confidence_scores: OcrConfidenceScoresDto | null;

  @ApiPropertyOptional({
    type: OcrPageErrorDto,
    description: 'Only of a page that could not be read, while others could.',
  })
  error?: OcrPageErrorDto;
}

@ApiSchema({ name: 'OcrUsage', description: 'What the request has used.' })
export class OcrUsageDto {
  @ApiProperty({
    type: 'integer',
    description: 'Pages that were read.',
    minimum: 0,
    maximum: largestPageCount,
    example: 1,
  })
  pages_processed: number;

  @ApiProperty({
    type: 'integer',
    description: 'Size of the document, in bytes.',
    minimum: 1,
    maximum: largestDocumentBytes,
    example: 48_213,
  })
  doc_size_bytes: number;
}

@ApiSchema({ name: 'OcrResponse', description: 'The text of a document, page by page.' })
export class OcrResponseDto {
  @ApiProperty({
    type: [OcrPageDto],
    description: 'The pages asked for, in ascending order.',
    minItems: 1,
    maxItems: largestPageCount,
  })
  pages: OcrPageDto[];

  @ApiProperty({ description: 'The model, as the request named it.', minLength: 1, example: 'tesseract' })
  model: string;

  @AlwaysNull('documents are not described')
  document_annotation: string | null;

  @ApiProperty({ description: 'What the request has used.' })
  usage_info: OcrUsageDto;
}
