import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ name: 'Message', description: 'Confirmation of a change.' })
export class MessageDto {
  @ApiProperty({ description: 'Confirmation for people.', example: 'The role was deleted.', minLength: 1 })
  message: string;
}
