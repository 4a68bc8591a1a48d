import { Mistral } from '@mistralai/mistralai';
import * as mistralErrors from '@mistralai/mistralai/models/errors';
import { Mistral as PreviousMistral } from 'mistralai-1';
import * as previousMistralErrors from 'mistralai-1/models/errors/index.js';
import OpenAI from 'openai';
import PreviousOpenAI from 'openai-6';

/*
 * The newest and the previous major version of each client. The previous ones get the types of the newest: their classes
 * differ in private fields only.
 */

export const openAiClients = [
  { version: 'openai', OpenAI },
  { version: 'openai-6', OpenAI: PreviousOpenAI as unknown as typeof OpenAI },
];

type MistralErrors = Pick<typeof mistralErrors, 'HTTPValidationError' | 'MistralError' | 'SDKError'>;

export const mistralClients: { version: string; Mistral: typeof Mistral; errors: MistralErrors }[] = [
  { version: '@mistralai/mistralai', Mistral, errors: mistralErrors },
  {
    version: 'mistralai-1',
    Mistral: PreviousMistral as unknown as typeof Mistral,
    errors: previousMistralErrors,
  },
];
