import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiProperty, ApiSchema, ApiTags } from '@nestjs/swagger';
import { Public } from '../access/declare-access.js';
import { ApiUnavailable, problemContent } from '../common/errors/api-errors.js';
import { ReadinessService } from './readiness.service.js';

@ApiSchema({ name: 'Health', description: 'Health of this replica.' })
class HealthDto {
  @ApiProperty({ description: 'Always `ok`.', enum: ['ok'], example: 'ok' })
  status: 'ok';
}

@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  /**
   * Check liveness
   *
   * @remarks Succeeds while the process responds, even if its dependencies are unavailable.
   */
  @Get('live')
  @Public()
  @ApiOkResponse({ type: HealthDto, description: 'The process is running.' })
  getLiveness(): HealthDto {
    return { status: 'ok' };
  }

  /**
   * Check readiness
   *
   * @remarks Succeeds if this replica should receive requests: the database and engines are available, and it is neither
   * starting nor stopping.
   */
  @Get('ready')
  @Public()
  @ApiOkResponse({ type: HealthDto, description: 'The replica is ready for requests.' })
  @ApiUnavailable(
    problemContent,
    'The replica is not ready; `detail` gives the reason.',
    'not-ready',
    'database-unavailable',
    'engine-unavailable',
    'overloaded',
  )
  async getReadiness(): Promise<HealthDto> {
    await this.readiness.check();
    return { status: 'ok' };
  }
}
