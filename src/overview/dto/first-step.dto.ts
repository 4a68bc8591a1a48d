import { ApiProperty, ApiSchema } from '@nestjs/swagger';

/** The checklist of a new organization, in order. */
export const firstSteps = ['key', 'request', 'limit', 'invitation', 'model'] as const;
export type FirstStep = (typeof firstSteps)[number];

@ApiSchema({ name: 'FirstStep', description: 'A step of the checklist of a new organization.' })
export class FirstStepDto {
  @ApiProperty({
    description:
      '`key`: create an API key. `request`: send a request with it. `limit`: limit a key or the organization. `invitation`: invite a member. `model`: configure a model besides those embedded by default.',
    enum: firstSteps,
    example: 'key',
  })
  name: FirstStep;

  @ApiProperty({ description: 'Whether it is done.', example: true })
  isDone: boolean;
}
