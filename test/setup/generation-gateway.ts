import type { ModelDefinition } from '../../src/config/model-definition.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { type GenerationUpstream, startGenerationUpstream } from './generation-upstream/generation-upstream.js';
import { dialects } from './generation-upstream/request.js';
import { startTestApp, type TestApp, type TestAppOptions } from './test-app.js';
import { upstreamModel } from './upstream.js';
import { useStarted } from './use-test-app.js';

/** Keycard in front of an upstream that generates text. */
export interface GenerationGateway extends TestApp {
  upstream: GenerationUpstream;
  member: Member;
  apiKey: CreatedKey;
}

type Fields = Partial<ModelDefinition>;
type Target = Parameters<typeof upstreamModel>[0][number];

/** Returns a model `mini`, named `remote-small` upstream, which serves all routes. */
export function generationModel(target: Target, fields: Fields = {}): ModelDefinition {
  const generation: Fields = { id: 'mini', task: 'generation', routes: dialects, maxOutputTokens: 4096 };
  return upstreamModel([target], { ...generation, ...fields });
}

interface GatewayOptions extends Omit<TestAppOptions, 'config'> {
  /** By default one that serves all routes. */
  models?: (upstream: GenerationUpstream) => ModelDefinition[];
  config?: TestAppOptions['config'];
}

/** Starts an upstream, the app in front of it, and a key. */
export async function startGenerationGateway(options: GatewayOptions = {}): Promise<GenerationGateway> {
  const { models = ({ baseUrl }) => [generationModel({ baseUrl })], config, ...others } = options;
  const upstream = await startGenerationUpstream();
  const service = await startTestApp({ ...others, config: { ...config, models: models(upstream) } });
  const member = await createMember(service);
  const apiKey = await createApiKey(service, member);
  const stop: TestApp['stop'] = async (limits, cut) => {
    await service.stop(limits, cut);
    await upstream.stop();
  };
  return { ...service, upstream, member, apiKey, stop };
}

/** Starts a gateway before the tests of this file or `describe` block and stops it after them. */
export function useGenerationGateway(options: GatewayOptions = {}): GenerationGateway {
  return useStarted(() => startGenerationGateway(options));
}
