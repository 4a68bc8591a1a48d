import { setImmediate } from 'node:timers/promises';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type EmbeddingsRequest, largestInputCount, largestTokenTotal } from './embeddings-request.js';

@ApiSchema({ name: 'Embedding', description: 'The vector of one text.' })
export class EmbeddingDto {
  @ApiProperty({ description: 'Always `embedding`.', enum: ['embedding'], example: 'embedding' })
  object: 'embedding';

  @ApiProperty({
    type: 'integer',
    description: 'Place of the text in `input`.',
    example: 0,
    minimum: 0,
    maximum: largestInputCount - 1,
  })
  index: number;

  @ApiProperty({
    description: 'The vector: numbers, or base64 of little-endian 32-bit floats. Most models scale it to length 1.',
    oneOf: [
      { type: 'array', minItems: 1, items: { type: 'number', format: 'float' } },
      { type: 'string', format: 'byte', minLength: 8 },
    ],
    example: [0.0123, -0.0456],
  })
  embedding: number[] | string;
}

@ApiSchema({ name: 'EmbeddingsUsage', description: 'What the request has used.' })
export class EmbeddingsUsageDto {
  @ApiProperty({
    type: 'integer',
    description: "Tokens of the input, as the model's own tokenizer counts them.",
    example: 8,
    minimum: 1,
    maximum: largestTokenTotal,
  })
  prompt_tokens: number;

  @ApiProperty({
    type: 'integer',
    description: 'The same: embeddings have no output tokens.',
    example: 8,
    minimum: 1,
    maximum: largestTokenTotal,
  })
  total_tokens: number;
}

@ApiSchema({ name: 'EmbeddingsResponse', description: 'One vector for each text.' })
export class EmbeddingsResponseDto {
  @ApiProperty({ description: 'Always `list`.', enum: ['list'], example: 'list' })
  object: 'list';

  @ApiProperty({
    type: [EmbeddingDto],
    description: 'The vectors, in the order of the texts.',
    minItems: 1,
    maxItems: largestInputCount,
  })
  data: EmbeddingDto[];

  @ApiProperty({ description: 'Id of the model.', example: 'universal-sentence-encoder-lite', minLength: 1 })
  model: string;

  @ApiProperty({ description: 'What the request has used.' })
  usage: EmbeddingsUsageDto;
}

/** So many vectors are written before the event loop gets its turn: about two milliseconds' worth. */
const vectorsPerTurn = 32;

/** The response as JSON text. A full request holds a million numbers, so it is written in turns. */
export async function writeEmbeddingsResponse(
  model: string,
  vectors: readonly Float32Array[],
  encodingFormat: EmbeddingsRequest['encodingFormat'],
  tokens: number,
): Promise<string> {
  const data: string[] = [];
  for (const [index, vector] of vectors.entries()) {
    if (index > 0 && index % vectorsPerTurn === 0) await setImmediate();
    data.push(`{"object":"embedding","index":${index},"embedding":${writeVector(vector, encodingFormat)}}`);
  }
  const usage = `{"prompt_tokens":${tokens},"total_tokens":${tokens}}`;
  return `{"object":"list","data":[${data.join(',')}],"model":${JSON.stringify(model)},"usage":${usage}}`;
}

function writeVector(vector: Float32Array, encodingFormat: EmbeddingsRequest['encodingFormat']): string {
  if (encodingFormat === 'float') return `[${vector.join(',')}]`;
  // All platforms that Node and onnxruntime run on are little-endian.
  return `"${Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')}"`;
}
