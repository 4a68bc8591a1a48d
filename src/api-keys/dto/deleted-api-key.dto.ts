import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ name: 'DeletedApiKey', description: 'Confirms a deletion.' })
export class DeletedApiKeyDto {
  @ApiProperty({
    description: 'Confirmation that the key was deleted.',
    example: 'The API key was deleted. Requests using it are now rejected.',
    minLength: 1,
  })
  message: string;
}
