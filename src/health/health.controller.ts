import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiProperty, ApiSchema, ApiTags } from '@nestjs/swagger';
import { Public } from '../access/declare-access.js';
import { ApiUnavailable, problemContent } from '../common/errors/api-errors.js';
import { ReadinessService } from './readiness.service.js';

@ApiSchema({ name: 'Health', description: 'That all is well.' })
export class HealthDto {
  @ApiProperty({ description: 'Always `ok`.', enum: ['ok'], example: 'ok' })
  status: 'ok';
}

@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  /** Whether the process answers at all; depends on nothing else. */
  @Get('live')
  @Public()
  @ApiOkResponse({ type: HealthDto, description: 'The process answers.' })
  getLiveness(): HealthDto {
    return { status: 'ok' };
  }

  /** Whether this replica should be given requests: database and engines are there, and it is not stopping. */
  @Get('ready')
  @Public()
  @ApiOkResponse({ type: HealthDto, description: 'The replica takes requests.' })
  @ApiUnavailable(problemContent, 'The replica takes no requests; `detail` says why.')
  async getReadiness(): Promise<HealthDto> {
    await this.readiness.check();
    return { status: 'ok' };
  }
}
