import { ApiExtraModels, ApiProperty, ApiPropertyOptional, ApiSchema, getSchemaPath } from '@nestjs/swagger';

@ApiSchema({ name: 'OcrDocumentUrl', description: 'A document by URL.' })
export class OcrDocumentUrlDto {
  @ApiPropertyOptional({ description: 'Optional.', enum: ['document_url'], example: 'document_url' })
  type?: 'document_url';

  @ApiProperty({
    description: 'A `data:` URL in base64, or a URL to fetch. The type is detected from the content.',
    example: 'data:application/pdf;base64,JVBERi0xLjcK',
    pattern: '^(data|https?):',
  })
  document_url: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'Accepted for compatibility; ignored.',
    example: 'invoice.pdf',
    minLength: 0,
  })
  document_name?: string | null;
}

@ApiSchema({ name: 'OcrImageDetail', description: 'An image by URL.' })
export class OcrImageDetailDto {
  @ApiProperty({
    description: 'A `data:` URL in base64, or a URL to fetch.',
    example: 'data:image/png;base64,iVBORw0KGgo=',
    pattern: '^(data|https?):',
  })
  url: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'Images are always read at full resolution.',
    enum: ['auto', 'high'],
    example: 'auto',
  })
  detail?: 'auto' | 'high' | null;
}

@ApiSchema({ name: 'OcrImageUrl', description: 'An image by URL.' })
@ApiExtraModels(OcrImageDetailDto)
export class OcrImageUrlDto {
  @ApiPropertyOptional({ description: 'Optional.', enum: ['image_url'], example: 'image_url' })
  type?: 'image_url';

  @ApiProperty({
    description: 'A `data:` URL in base64, or a URL to fetch, as a string or in an object.',
    oneOf: [{ type: 'string', pattern: '^(data|https?):' }, { $ref: getSchemaPath(OcrImageDetailDto) }],
    example: 'data:image/png;base64,iVBORw0KGgo=',
  })
  image_url: string | OcrImageDetailDto;
}

@ApiSchema({ name: 'OcrFile', description: 'A document uploaded to an upstream. Embedded models reject it.' })
export class OcrFileDto {
  @ApiPropertyOptional({ description: 'Optional.', enum: ['file'], example: 'file' })
  type?: 'file';

  @ApiProperty({
    description: 'Id of the file at the upstream.',
    example: '00edaf84-95b0-45db-8f83-f71138491f23',
    minLength: 1,
  })
  file_id: string;
}
