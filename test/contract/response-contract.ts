import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenAPIObject, OperationObject } from '@nestjs/swagger';
import { resolveResponse } from './operation-gaps.js';

interface ReceivedResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** Headers that only some responses of a status have. */
const optionalHeaders =
  /^(retry-after(-ms)?|x-should-retry|(x-)?ratelimit(-.*)?|content-disposition|x-keycard-(warning|model|cost|budget-remaining|output-limit)|request-id)$/i;
const contract = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenAPIObject;
const paths = Object.entries(contract.paths).map(([template, item]) => {
  const operations: Record<string, unknown> = { ...item };
  return { pattern: patternOf(template), hasParameters: template.includes('{'), operations };
});
const components = toJsonSchema(contract.components) as object;
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'openapi', components });

/**
 * Checks that openapi.json declares the response's status, and that the body matches its schema without undeclared
 * properties.
 *
 * @param path of the request, with its query
 * @throws Error listing the differences; never for undocumented paths
 */
export function checkContract(method: string, path: string, response: ReceivedResponse): void {
  const operation = findOperation(method, path);
  if (operation === undefined) return;
  const differences = findDifferences(operation, response);
  if (differences.length === 0) return;
  throw new Error(`${method} ${path} differs from openapi.json:\n${differences.join('\n')}\n${response.text}`);
}

/**
 * Returns how a body differs from the successful response that openapi.json declares for a request.
 *
 * @param path of the request, without its query
 */
export function findBodyDifferences(method: string, path: string, body: unknown): string[] {
  const responses = Object.entries(findOperation(method, path)?.responses ?? {});
  const [, success] = responses.find(([status]) => status.startsWith('2')) ?? [];
  const schema = resolveResponse(contract, success)?.content?.['application/json']?.schema;
  if (schema === undefined) return [`openapi.json declares no JSON response of ${method} ${path}.`];
  const validate = validatorOf(schema);
  return validate(body) ? [] : describeErrors(validate);
}

function findOperation(method: string, path: string): OperationObject | undefined {
  // As `fetch` sends it: `%2e%2e` leads elsewhere.
  const { pathname } = new URL(path, 'http://service');
  const matching = paths.filter(({ pattern }) => pattern.test(pathname));
  const found = matching.find(({ hasParameters }) => !hasParameters) ?? matching[0];
  return found?.operations[method.toLowerCase()] as OperationObject | undefined;
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{\w+\}/g, template.startsWith('/v1/models') ? '.+' : '[^/]+')}$`);
}

function findDifferences({ responses }: OperationObject, { status, headers, text }: ReceivedResponse): string[] {
  const declared = resolveResponse(contract, responses[String(status)] ?? responses['default']);
  if (declared === undefined) return [`The status ${status} is not declared.`];
  const missing = Object.keys(declared.headers ?? {})
    .filter((name) => !optionalHeaders.test(name) && !headers.has(name))
    .map((name) => `The header ${name} is missing.`);
  if (declared.content === undefined) return missing;
  const type = headers.get('content-type')?.split(';', 1)[0] ?? '';
  const content = declared.content[type];
  if (content === undefined) return [...missing, `The content type ${type} is not declared for ${status}.`];
  if (!/json$/.test(type)) return missing;
  const validate = validatorOf(content.schema ?? {});
  const body: unknown = JSON.parse(text);
  if (validate(body)) return [...missing, ...findUndeclaredCode(declared['x-error-codes'], body)];
  return [...missing, ...describeErrors(validate)];
}

function describeErrors({ errors }: ValidateFunction): string[] {
  return (errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** @param codes that the response may have; undefined for a success */
function findUndeclaredCode(codes: readonly (string | null)[] | undefined, body: unknown): string[] {
  if (codes === undefined) return [];
  const { code, error } = body as { code?: string | null; error?: string | { code?: string | null; type: string } };
  // Anthropic's errors have a type only.
  const returned =
    typeof error === 'object' ? (error.code === undefined ? error.type : error.code) : (error ?? code ?? null);
  return codes.includes(returned) ? [] : [`The error code ${returned} is not declared.`];
}

const validators = new Map<string, ValidateFunction>();

function validatorOf(schema: object): ValidateFunction {
  const key = JSON.stringify(schema);
  const known = validators.get(key) ?? ajv.compile(toJsonSchema(schema) as object);
  validators.set(key, known);
  return known;
}

/** Closes objects, so that undeclared properties fail. */
function toJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toJsonSchema);
  if (typeof value !== 'object' || value === null) return value;
  const schema = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, name.startsWith('example') ? inner : toJsonSchema(inner)]),
  ) as Record<string, unknown>;
  if (typeof schema['$ref'] === 'string') schema['$ref'] = schema['$ref'].replace(/^#/, 'openapi#');
  if (schema['type'] === 'object' && 'properties' in schema) schema['additionalProperties'] ??= false;
  return schema;
}
