import { ApiProperty, ApiSchema } from '@nestjs/swagger';

/** How many sessions a list shows at most. */
export const longestSessionList = 100;

const time = { format: 'date-time', example: '2026-07-01T12:00:00.000Z' };

@ApiSchema({ name: 'Session', description: 'A place where the user is signed in.' })
export class SessionDto {
  @ApiProperty({
    description: 'Id of the session.',
    example: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f',
    format: 'uuid',
  })
  id: string;

  @ApiProperty({ ...time, description: 'When the user signed in.' })
  createdAt: string;

  @ApiProperty({ ...time, description: 'When the session was opened or last refreshed.' })
  lastUsedAt: string;

  @ApiProperty({ ...time, description: 'When it ends unless it is refreshed before.' })
  expiresAt: string;

  @ApiProperty({ description: 'IP address it was last refreshed from.', example: '203.0.113.7', minLength: 1 })
  address: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What the browser or program called itself then.',
    example: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    maxLength: 512,
  })
  userAgent: string | null;

  @ApiProperty({ description: 'Whether this request is made with it.', example: true })
  isCurrent: boolean;
}

@ApiSchema({ name: 'SessionList', description: 'Where the user is signed in.' })
export class SessionListDto {
  @ApiProperty({
    type: [SessionDto],
    description: 'The sessions that were used last, the latest first.',
    maxItems: longestSessionList,
  })
  sessions: SessionDto[];
}
