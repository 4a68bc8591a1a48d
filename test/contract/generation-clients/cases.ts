import { createApiKey } from '../../factories/api-keys.js';
import { setLimits } from '../../factories/limits.js';
import { type GenerationGateway, generationModel, useGenerationGateway } from '../../setup/generation-gateway.js';
import type { Script } from '../../setup/generation-upstream/script.js';
import { waitFor } from '../../setup/wait-for.js';

/** What all clients are asked, and what the upstream's default script answers. */

export const text = 'river stone grün cloud 東京 window paper garden ';
export const forecast = { city: 'Paris', degrees: 21 };

/** A red pixel. */
export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
export const pixelUrl = `data:image/png;base64,${pixel}`;

export const forecastSchema = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const }, degrees: { type: 'number' as const } },
  required: ['city', 'degrees'],
  additionalProperties: false,
};

/** Streams that don't end like a success. */
export const brokenStreams: { title: string; script: Script }[] = [
  { title: 'an error event', script: { errorEvent: { at: 5, message: 'The server had an error' } } },
  { title: 'a lost connection', script: { stop: { at: 1500, by: 'cut' }, tokens: 100 } },
  { title: 'an early end', script: { stop: { at: 1500, by: 'end' }, tokens: 100 } },
];

/** A stream that runs for 20 s, so that its client leaves first. */
export const endlessStream: Script = { tokens: 4000, delayMilliseconds: 5 };

const fragileCount = 40;
const fragileModels = Array.from({ length: fragileCount }, (_, index) => `fragile-${index}`);

/** Starts a gateway with the model `mini`, and with models for requests that fail, which open circuits. */
export function useClientGateway(target: Partial<Parameters<typeof generationModel>[0]> = {}): GenerationGateway {
  return useGenerationGateway({
    models: ({ baseUrl }) => ['mini', ...fragileModels].map((id) => generationModel({ baseUrl, ...target }, { id })),
  });
}

let usedFragileModels = 0;

/** Returns a model that no other test of the file has used, so that its circuit is closed. */
export function nextFragileModel(): string {
  return `fragile-${usedFragileModels++ % fragileCount}`;
}

/** Creates a key whose requests a limit rejects until tomorrow. */
export async function createLimitedKey(gateway: GenerationGateway): Promise<string> {
  const { id, key } = await createApiKey(gateway, gateway.member);
  await setLimits(gateway, { keyId: id }, [{ metric: 'requests', per: 'day', max: 1 }]);
  await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
  return key;
}

/** Waits until the upstream has no client left. */
export async function untilCanceled({ upstream }: GenerationGateway): Promise<void> {
  await waitFor(() => upstream.countOpen() === 0);
}

/** Returns what the latest request sent to the upstream. */
export function latestRequest({ upstream }: GenerationGateway): Record<string, unknown> {
  return upstream.requests.at(-1)?.json ?? {};
}

/** Returns the items of a stream. */
export async function readAll<Item>(stream: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

/** Reads the first item of a stream, and leaves it. */
export async function leaveEarly<Item>(
  stream: AsyncIterable<Item>,
  leave: () => void = () => undefined,
): Promise<void> {
  const iterator = stream[Symbol.asyncIterator]();
  await iterator.next();
  leave();
  await iterator.return?.();
}
