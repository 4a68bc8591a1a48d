import * as aiSdkAnthropic from '@ai-sdk/anthropic';
import * as aiSdkOpenAi from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { Mistral } from '@mistralai/mistralai';
import * as mistralErrors from '@mistralai/mistralai/models/errors';
import * as ai from 'ai';
import * as previousAi from 'ai-6';
import * as previousAiSdkAnthropic from 'ai-sdk-anthropic-3';
import * as previousAiSdkOpenAi from 'ai-sdk-openai-3';
import PreviousAnthropic from 'anthropic-sdk-0';
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

export const anthropicClients = [
  { version: '@anthropic-ai/sdk', Anthropic },
  { version: 'anthropic-sdk-0', Anthropic: PreviousAnthropic as unknown as typeof Anthropic },
];

/** The AI SDK, and its providers of the same time. */
export const aiSdks = [
  {
    version: 'ai',
    ai,
    createOpenAI: aiSdkOpenAi.createOpenAI,
    createAnthropic: aiSdkAnthropic.createAnthropic,
  },
  {
    version: 'ai-6',
    ai: previousAi as unknown as typeof ai,
    createOpenAI: previousAiSdkOpenAi.createOpenAI as unknown as typeof aiSdkOpenAi.createOpenAI,
    createAnthropic: previousAiSdkAnthropic.createAnthropic as unknown as typeof aiSdkAnthropic.createAnthropic,
  },
];
