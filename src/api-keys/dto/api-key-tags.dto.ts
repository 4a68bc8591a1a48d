import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { maxTagLength } from '../../common/rules/tag-rules.js';

/** Tags in a list. */
export const maxListedTags = 1000;

@ApiSchema({ name: 'ApiKeyTag', description: 'A tag, and how many API keys have it.' })
class ApiKeyTagDto {
  @ApiProperty({ description: 'The tag.', example: 'production', minLength: 1, maxLength: maxTagLength })
  tag: string;

  @ApiProperty({ type: 'integer', description: 'Number of API keys with this tag.', example: 12, minimum: 1 })
  apiKeyCount: number;
}

@ApiSchema({ name: 'ApiKeyTagList', description: 'Tags of API keys.' })
export class ApiKeyTagListDto {
  @ApiProperty({
    type: [ApiKeyTagDto],
    description: `The ${maxListedTags.toLocaleString('en')} most used tags, those of the most API keys first.`,
    maxItems: maxListedTags,
  })
  tags: ApiKeyTagDto[];
}
