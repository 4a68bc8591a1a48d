import { ApiProperty, ApiSchema } from '@nestjs/swagger';

/** Maximum number of sessions in a list. */
export const maxSessions = 100;

const time = { format: 'date-time', example: '2026-07-01T12:00:00.000Z' };

@ApiSchema({ name: 'Session', description: 'A signed-in browser or client.' })
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

  @ApiProperty({ ...time, description: 'When the session ends unless it is refreshed.' })
  expiresAt: string;

  @ApiProperty({
    description: 'IP address of the sign-in or last refresh; `unknown` if a proxy forwarded something else.',
    example: '203.0.113.7',
    minLength: 1,
  })
  address: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: '`User-Agent` of the sign-in or last refresh.',
    example: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    maxLength: 512,
  })
  userAgent: string | null;

  @ApiProperty({ description: 'Whether this is the session of the request.', example: true })
  isCurrent: boolean;
}

@ApiSchema({ name: 'SessionList', description: "The user's sessions." })
export class SessionListDto {
  @ApiProperty({
    type: [SessionDto],
    description: 'The sessions, most recently used first.',
    maxItems: maxSessions,
  })
  sessions: SessionDto[];
}
