import { Readable } from 'node:stream';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { nextTurn } from '../../../common/event-loop-turn.js';
import { type EmbeddingsRequest, maxInputs, maxTotalTokens } from './embeddings-request.js';

@ApiSchema({ name: 'Embedding', description: 'The vector of one text.' })
export class EmbeddingDto {
  @ApiProperty({ description: 'Always `embedding`.', enum: ['embedding'], example: 'embedding' })
  object: 'embedding';

  @ApiProperty({
    type: 'integer',
    description: 'Index of the text in `input`.',
    example: 0,
    minimum: 0,
    maximum: maxInputs - 1,
  })
  index: number;

  @ApiProperty({
    description: 'The vector: numbers, or base64 of little-endian 32-bit floats. Most models normalize it to length 1.',
    oneOf: [
      { type: 'array', minItems: 1, items: { type: 'number', format: 'float' } },
      { type: 'string', pattern: '^[A-Za-z0-9+/]+={0,2}$', minLength: 8 },
    ],
    example: [0.0123, -0.0456],
  })
  embedding: number[] | string;
}

@ApiSchema({ name: 'EmbeddingsUsage', description: 'Usage of the request.' })
export class EmbeddingsUsageDto {
  @ApiProperty({
    type: 'integer',
    description: "Input tokens, counted by the model's tokenizer.",
    example: 8,
    minimum: 1,
    maximum: maxTotalTokens,
  })
  prompt_tokens: number;

  @ApiProperty({
    type: 'integer',
    description: 'Same as `prompt_tokens`: embeddings have no output tokens.',
    example: 8,
    minimum: 1,
    maximum: maxTotalTokens,
  })
  total_tokens: number;
}

@ApiSchema({ name: 'EmbeddingsResponse', description: 'One vector for each text.' })
export class EmbeddingsResponseDto {
  @ApiPropertyOptional({
    description: '`embd-` and the request id, for models inside Keycard. Upstreams have their own, or none.',
    example: 'embd-0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f',
    minLength: 1,
  })
  id?: string;

  @ApiProperty({ description: 'Always `list`.', enum: ['list'], example: 'list' })
  object: 'list';

  @ApiProperty({
    type: [EmbeddingDto],
    description: 'The vectors, in the order of the texts.',
    minItems: 1,
    maxItems: maxInputs,
  })
  data: EmbeddingDto[];

  @ApiProperty({ description: 'Id of the model.', example: 'universal-sentence-encoder-lite', minLength: 1 })
  model: string;

  @ApiProperty({ description: 'Usage of the request.' })
  usage: EmbeddingsUsageDto;
}

/** Takes about a millisecond to write. */
const vectorsPerTurn = 16;

interface EmbeddingsResult {
  requestId: string;
  /** The name or alias in the request. */
  model: string;
  vectors: readonly Float32Array[];
  encodingFormat: EmbeddingsRequest['encodingFormat'];
  dimensions: number;
  tokens: number;
}

/**
 * Writes the response as JSON. A response can have a million numbers, so a large one is a stream, which writes a few
 * vectors in each turn of the event loop, and no faster than the client reads.
 */
export function writeEmbeddingsResponse(result: EmbeddingsResult): string | Readable {
  if (result.vectors.length > vectorsPerTurn) return Readable.from(writeInTurns(result), { objectMode: false });
  return `${writeStart(result)}${writeVectors(result, 0)}${writeEnd(result)}`;
}

async function* writeInTurns(result: EmbeddingsResult): AsyncGenerator<Buffer> {
  for (let first = 0; first < result.vectors.length; first += vectorsPerTurn) {
    await nextTurn();
    yield Buffer.from((first === 0 ? writeStart(result) : ',') + writeVectors(result, first));
  }
  yield Buffer.from(writeEnd(result));
}

function writeStart({ requestId }: EmbeddingsResult): string {
  return `{"id":${JSON.stringify(`embd-${requestId}`)},"object":"list","data":[`;
}

function writeEnd({ model, tokens }: EmbeddingsResult): string {
  return `],"model":${JSON.stringify(model)},"usage":{"prompt_tokens":${tokens},"total_tokens":${tokens}}}`;
}

/** The vectors of one turn. */
function writeVectors({ vectors, dimensions, encodingFormat }: EmbeddingsResult, first: number): string {
  const items = vectors.slice(first, first + vectorsPerTurn).map((vector, index) => {
    const embedding = writeVector(shortenVector(vector, dimensions), encodingFormat);
    return `{"object":"embedding","index":${first + index},"embedding":${embedding}}`;
  });
  return items.join(',');
}

function writeVector(vector: Float32Array, encodingFormat: EmbeddingsRequest['encodingFormat']): string {
  if (encodingFormat === 'float') return `[${vector.join(',')}]`;
  // All platforms that Node and onnxruntime run on are little-endian.
  return `"${Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')}"`;
}

/** The first `dimensions` numbers of a vector, scaled to length 1 again. */
function shortenVector(vector: Float32Array, dimensions: number): Float32Array {
  if (dimensions === vector.length) return vector;
  const short = vector.slice(0, dimensions);
  const length = lengthOf(short);
  return length === 0 ? short : short.map((value) => value / length);
}

/** `Math.hypot` takes several times as long. */
function lengthOf(vector: Float32Array): number {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return Math.sqrt(sum);
}
