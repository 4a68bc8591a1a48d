/** Texts for the placeholders of a statement file. */
export interface Placeholders {
  /** SQL for `{{name}}`. */
  readonly fragments?: Readonly<Record<string, string>>;
  /** Elements of lists: a line with `{{name.property}}` is repeated for each element of the list. */
  readonly lists?: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>;
}

/** Separates the comment that a file starts with, which ends at the first line that isn't a comment. */
export function splitHeader(text: string): { header: string; body: string } {
  const [header = ''] = /^(?:--.*\n)*/.exec(text) ?? [];
  return { header, body: text.slice(header.length).trim() };
}

/** Replaces every `{{include name.sql}}` with what `read` returns for the name. */
export function fillIncludes(text: string, read: (name: string) => string): string {
  return text.replace(/\{\{include ([\w/-]+\.sql)\}\}/g, (_, name: string) => read(name));
}

/** @throws Error if a placeholder has no text, or a text no placeholder */
export function fillPlaceholders(text: string, { fragments = {}, lists = {} }: Placeholders): string {
  const used = new Set<string>();
  const lines = text.split('\n').flatMap((line) => {
    const list = /\{\{(\w+)\.\w+\}\}/.exec(line)?.[1];
    if (list === undefined) return line;
    used.add(list);
    return textOf(lists, list).map((element) =>
      line.replace(/\{\{(\w+)\.(\w+)\}\}/g, (_, name: string, property: string) =>
        textOf(name === list ? element : {}, property),
      ),
    );
  });
  const filled = lines.join('\n').replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    used.add(name);
    return textOf(fragments, name);
  });
  const unused = Object.keys({ ...fragments, ...lists }).filter((name) => !used.has(name));
  if (unused.length > 0) throw new Error(`There is no placeholder for ${unused.join(', ')}.`);
  return filled;
}

function textOf<Text>(texts: Readonly<Record<string, Text>>, name: string): Text {
  const text = texts[name];
  if (text === undefined) throw new Error(`There is no text for the placeholder ${name}.`);
  return text;
}

/** Parameters, and everything else that may contain a colon: comments, strings, quoted names, bodies, casts, assignments. */
const tokens = new RegExp(
  [
    /--.*/,
    /\/\*[^]*?\*\//,
    /\be'(?:\\[^]|''|[^'\\])*'/,
    /'[^']*'/,
    /"[^"]*"/,
    /\$(?<tag>(?:[a-z_]\w*)?)\$[^]*?\$\k<tag>\$/,
    /::|:=/,
    /\$\d+/,
    /:(?<parameter>[a-z]\w*)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
);

/** Numbers named parameters such as `:hashes` in the order in which they first appear. */
export function numberParameters(text: string): { text: string; parameters: string[] } {
  const numbers = new Map<string, number>();
  const numbered = text.replace(tokens, (token: string, ...rest: unknown[]) => {
    const { parameter } = rest.at(-1) as { parameter?: string };
    if (/^\$\d/.test(token)) throw new Error(`${token} needs a name.`);
    if (parameter === undefined) return token;
    const number = numbers.get(parameter) ?? numbers.size + 1;
    numbers.set(parameter, number);
    return `$${number}`;
  });
  return { text: numbered, parameters: [...numbers.keys()] };
}
