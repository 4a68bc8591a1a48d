import { ApiSchema, PickType } from '@nestjs/swagger';
import { CreateApiKeyDto } from './create-api-key.dto.js';

@ApiSchema({ name: 'UpdateApiKey', description: 'What can be changed of a key.' })
export class UpdateApiKeyDto extends PickType(CreateApiKeyDto, ['name']) {}
