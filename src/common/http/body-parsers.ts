import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, invalidField, maxFieldNameLength } from '../errors/app-error.js';
import { unsupportedMediaType } from '../errors/to-app-error.js';
import type { BodyMemory } from './body-memory.js';
import { type BodyReader, openBody } from './body-reader.js';
import { findDuplicateField } from './duplicate-field.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the body is a form (`application/x-www-form-urlencoded`) instead of JSON. */
    takesForm?: boolean;
    /** Whether `bodyText` is set. */
    keepsBodyText?: boolean;
    /** Maximum size of the body, in bytes, instead of the server's. */
    maxBodyBytes?: number | undefined;
  }
  interface FastifyRequest {
    /** The body as it was sent, on routes that need it. */
    bodyText?: string;
  }
}

interface BodyParserOptions {
  /** How long a body may make no progress. */
  readonly idleMilliseconds: number;
  /** What bodies are counted against while they arrive. */
  readonly memory: BodyMemory;
}

const formType = 'application/x-www-form-urlencoded';

type ContentTypeParser = (request: FastifyRequest, body: BodyReader) => Promise<unknown>;

/**
 * Parses JSON bodies. Other content types and compressed bodies are rejected with 415. Routes that declare it take a
 * form instead. An empty body counts as absent, because many clients send the content type with every DELETE. Duplicate
 * fields, `__proto__` and `constructor.prototype` are rejected.
 */
export function addBodyParsers(fastify: FastifyInstance, { idleMilliseconds, memory }: BodyParserOptions): void {
  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  const readText = async (body: BodyReader) => {
    const share = memory.open();
    try {
      const bytes = await body.readAll(share);
      // Otherwise, characters in another encoding would be replaced.
      if (!isUtf8(bytes)) throw new AppError('malformed-request', 'The body is not valid UTF-8.');
      return bytes.toString('utf8');
    } finally {
      share.release();
    }
  };
  const readJson: ContentTypeParser = async (request, body) => {
    if (request.routeOptions.config.takesForm === true) return reject(request, body);
    const text = await readText(body);
    if (text === '') return undefined;
    const value = await new Promise((resolve, reject) => {
      void parseJson(request, text, (error, value) => {
        if (error) reject(new AppError('malformed-request', 'The body is not valid JSON.', { cause: error }));
        else resolve(value);
      });
    });
    const duplicate = findDuplicateField(text);
    if (duplicate !== undefined) throw sentTwice(duplicate);
    if (request.routeOptions.config.keepsBodyText === true) request.bodyText = text;
    return value;
  };
  const readForm: ContentTypeParser = async (request, body) => {
    if (request.routeOptions.config.takesForm !== true) return reject(request, body);
    return parseForm(await readText(body));
  };
  const add = (contentType: string, parse: ContentTypeParser) =>
    fastify.addContentTypeParser(contentType, async (request: FastifyRequest, body: IncomingMessage) => {
      const { bodyLimit, config } = request.routeOptions;
      const maxBytes = config.maxBodyBytes ?? bodyLimit;
      return parse(request, openBody(request.headers, body, { maxBytes, idleMilliseconds }));
    });
  fastify.removeAllContentTypeParsers();
  add('application/json', readJson);
  add(formType, readForm);
  add('multipart/form-data', reject);
}

const reject: ContentTypeParser = ({ routeOptions }) => {
  const detail = routeOptions.config.takesForm === true ? `This route takes ${formType}.` : unsupportedMediaType;
  throw new AppError('unsupported-media-type', detail);
};

function sentTwice(field: string): AppError {
  return invalidField(field, `${field.slice(0, maxFieldNameLength)} must be sent once.`);
}

/** The fields of a form by name. */
function parseForm(text: string): Record<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.has(name)) throw sentTwice(name);
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
}
