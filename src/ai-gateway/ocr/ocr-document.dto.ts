import { ApiExtraModels, ApiProperty, ApiPropertyOptional, ApiSchema, getSchemaPath } from '@nestjs/swagger';

@ApiSchema({ name: 'OcrDocumentUrl', description: 'A document, by its URL.' })
export class OcrDocumentUrlDto {
  @ApiPropertyOptional({ description: 'May be left out.', enum: ['document_url'], example: 'document_url' })
  type?: 'document_url';

  @ApiProperty({
    description: 'A `data:` URL in base64, or one to fetch; whichever media type it names, the content decides.',
    example: 'data:application/pdf;base64,JVBERi0xLjcK',
    pattern: '^(data|https?):',
  })
  document_url: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'Your name of the document; accepted and not used.',
    example: 'invoice.pdf',
    minLength: 0,
  })
  document_name?: string | null;
}

@ApiSchema({ name: 'OcrImageDetail', description: 'An image, by its URL.' })
export class OcrImageDetailDto {
  @ApiProperty({
    description: 'A `data:` URL in base64, or one to fetch.',
    example: 'data:image/png;base64,iVBORw0KGgo=',
    pattern: '^(data|https?):',
  })
  url: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'Images are always read in full.',
    enum: ['auto', 'high'],
    example: 'auto',
  })
  detail?: 'auto' | 'high' | null;
}

@ApiSchema({ name: 'OcrImageUrl', description: 'An image, by its URL.' })
@ApiExtraModels(OcrImageDetailDto)
export class OcrImageUrlDto {
  @ApiPropertyOptional({ description: 'May be left out.', enum: ['image_url'], example: 'image_url' })
  type?: 'image_url';

  @ApiProperty({
    description: 'A `data:` URL in base64, or one to fetch; by itself or in an object.',
    oneOf: [{ type: 'string', pattern: '^(data|https?):' }, { $ref: getSchemaPath(OcrImageDetailDto) }],
    example: 'data:image/png;base64,iVBORw0KGgo=',
  })
  image_url: string | OcrImageDetailDto;
}
