import { findBodyDifferences } from '../contract/response-contract.js';
import { type Block, documents, readBlocks } from '../documented-commands/read-blocks.js';

interface DocumentedResponse {
  place: string;
  request: string;
  body: string;
}

/** A blank line, or a sentence between two. */
const maxDistance = 4;

/** Returns the JSON that follows a request. */
function responsesOf(file: string): DocumentedResponse[] {
  const blocks = readBlocks(file);
  return blocks.flatMap((block, index) => {
    const command = blocks[index - 1];
    if (block.language !== 'json' || command?.language !== 'sh') return [];
    if (block.line - endOf(command) > maxDistance) return [];
    return [{ place: `${file}:${block.line}`, request: lastRequestOf(command.text), body: block.text }];
  });
}

/** The line of its last fence. */
const endOf = ({ line, text }: Block) => line + text.split('\n').length;

/** Returns the method and path of the last `curl` of a block. */
function lastRequestOf(commands: string): string {
  const command = commands.slice(commands.lastIndexOf('curl '));
  const [, path = ''] = /(?:https?:\/\/[^/\s]+|\$KEYCARD)(\/[^\s"'?]*)/.exec(command) ?? [];
  const [, method = / -(d|F|-data-binary) /.test(command) ? 'POST' : 'GET'] = / -X ([A-Z]+) /.exec(command) ?? [];
  return `${method} ${path}`;
}

const responses = documents.flatMap(responsesOf);

describe('The response of a documented request', () => {
  it.each(responses)('should be one that openapi.json declares: $request in $place', ({ request, body }) => {
    const [method = '', path = ''] = request.split(' ');
    expect(findBodyDifferences(method, path, JSON.parse(body))).toEqual([]);
  });

  it.each(['audit', 'automation', 'embeddings', 'keys', 'models', 'organizations', 'usage'])(
    'should be in docs/%s.md',
    (page) => {
      expect(responses.map(({ place }) => place.split(':')[0])).toContain(`docs/${page}.md`);
    },
  );
});
