import type { JsonObject, JsonValue } from './generation-request.js';

/** How a language writes literals. JSON strings and numbers are valid in both. */
interface Notation {
  true: string;
  false: string;
  openObject: string;
  closeObject: string;
  field: (name: string, value: string) => string;
}

const python: Notation = {
  true: 'True',
  false: 'False',
  openObject: '{',
  closeObject: '}',
  field: (name, value) => `${JSON.stringify(name)}: ${value}`,
};

const javaScript: Notation = {
  true: 'true',
  false: 'false',
  openObject: '{ ',
  closeObject: ' }',
  field: (name, value) => `${name}: ${value}`,
};

/** The fields as keyword arguments of a Python call, one a line. */
export function toPythonArguments(fields: JsonObject, indent: string): string[] {
  return Object.entries(fields).map(([name, value]) => `${indent}${name}=${format(value, python, indent)},`);
}

/** The fields of a JavaScript object, one a line. */
export function toJavaScriptFields(fields: JsonObject, indent: string): string[] {
  return Object.entries(fields).map(([name, value]) => `${indent}${name}: ${format(value, javaScript, indent)},`);
}

/** Lists have one item a line; objects, such as messages, are on one line. */
function format(value: JsonValue, notation: Notation, indent: string): string {
  if (typeof value === 'boolean') return value ? notation.true : notation.false;
  if (typeof value === 'string' || typeof value === 'number') return JSON.stringify(value);
  const inner = `${indent}${indent}`;
  if (isList(value)) {
    return ['[', ...value.map((item) => `${inner}${format(item, notation, inner)},`), `${indent}]`].join('\n');
  }
  const fields = Object.entries(value).map(([name, field]) => notation.field(name, format(field, notation, indent)));
  return `${notation.openObject}${fields.join(', ')}${notation.closeObject}`;
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);
