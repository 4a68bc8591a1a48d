import type { UpstreamTarget } from '../../../config/model-definition.js';
import { baseUrl, nonEmptyText, variableName, weight, wholeNumber } from './rules.js';
import type { Section } from './section.js';

export interface TargetContext {
  /** The value of an environment variable, which may be a secret. */
  readonly readSecret: (variable: string) => string | undefined;
}

const defaultWeight = 1;
const defaultTimeoutSeconds = 60;
/** The longest time that a target may take for a response; proxies in front of Keycard must allow for more. */
export const longestTimeoutSeconds = 600;

/**
 * The servers of a model.
 *
 * @param id of the model, which it is also called there unless the file says otherwise
 */
export function parseTargets(model: Section, id: string, context: TargetContext): UpstreamTarget[] {
  return model.children('targets').flatMap((section) => {
    const url = section.required('baseUrl', baseUrl);
    const target = {
      apiKey: parseApiKey(section, context),
      model: section.optional('model', nonEmptyText, id),
      weight: section.optional('weight', weight, defaultWeight),
      timeoutSeconds: section.optional('timeoutSeconds', wholeNumber(1, longestTimeoutSeconds), defaultTimeoutSeconds),
    };
    section.refuseOthers();
    return url === undefined ? [] : [{ baseUrl: url, ...target }];
  });
}

function parseApiKey(section: Section, { readSecret }: TargetContext): string | undefined {
  const variable = section.has('apiKeyEnv') ? section.required('apiKeyEnv', variableName) : undefined;
  if (variable === undefined) return undefined;
  const apiKey = readSecret(variable);
  if (apiKey === undefined) {
    section.refuse('apiKeyEnv', `is ${variable}, and this environment variable is not set`);
  } else if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    section.refuse('apiKeyEnv', `is ${variable}, whose value must be printable ASCII without spaces`);
  }
  return apiKey;
}
