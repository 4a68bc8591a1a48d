import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ name: 'Confirmation', description: 'Says what was done.' })
export class ConfirmationDto {
  @ApiProperty({ description: 'What was done, in words.', example: 'The session has ended.', minLength: 1 })
  message: string;
}
