import { Controller, Get, Param } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireApiKey } from '../../access/declare-access.js';
import { ApiPathErrors, openAiErrorContent } from '../../common/errors/api-errors.js';
import { ModelDto, ModelListDto } from './model.dto.js';
import type { Model } from './model.js';
import { ModelCatalogueService } from './model-catalogue.service.js';

@ApiTags('AI')
@Controller('v1/models')
export class ModelsController {
  constructor(private readonly catalogue: ModelCatalogueService) {}

  /** List the models that are served, in OpenAI's shape and with what each is for. */
  @Get()
  @RequireApiKey()
  @ApiOkResponse({ type: ModelListDto, description: 'The models.' })
  listModels(): ModelListDto {
    return { object: 'list', data: this.catalogue.list().map(({ name, model }) => toDto(name, model)) };
  }

  /** One model, in OpenAI's shape and with what it is for. */
  @Get(':model')
  @RequireApiKey()
  @ApiParam({
    name: 'model',
    description: 'Id or alias of the model. A slash in it may be sent as it is, or as `%2F`.',
    schema: { type: 'string', minLength: 1, maxLength: 200, example: 'universal-sentence-encoder-lite' },
  })
  @ApiPathErrors(openAiErrorContent)
  @ApiOkResponse({ type: ModelDto, description: 'The model.' })
  @ApiNotFoundResponse({ ...openAiErrorContent, description: 'There is no such model.' })
  getModel(@Param('model') name: string): ModelDto {
    return toDto(name, this.catalogue.get(name));
  }
}

function toDto(name: string, { createdSeconds, ownedBy, task }: Model): ModelDto {
  return { id: name, object: 'model', created: createdSeconds, owned_by: ownedBy, task };
}
