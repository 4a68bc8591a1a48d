import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ name: 'Message', description: 'Confirms what was done.' })
export class MessageDto {
  @ApiProperty({ description: 'What was done, in words.', example: 'The role was deleted.', minLength: 1 })
  message: string;
}
