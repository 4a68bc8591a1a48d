/** A request body of the maximum size of its route, expensive to read. */
export interface LargestBody {
  name: string;
  path: string;
  contentType: string;
  body: Buffer;
  access: 'key' | 'member';
}

const megabyte = 1024 * 1024;
const embeddingsBytes = 10 * megabyte;
const documentBytes = 50 * megabyte;
const ocrBytes = 80 * megabyte;
const ocrOptionsBytes = megabyte;
const managementBytes = 100 * 1024;
const maxTexts = 2048;
const model = '"model":"universal-sentence-encoder-lite"';
const ocrModel = '"model":"tesseract"';

/** Bodies for each route, smallest first. */
export function largestBodies(): LargestBody[] {
  return [...managementBodies(), ...embeddingsBodies(), ...ocrBodies()];
}

function embeddingsBodies(): LargestBody[] {
  const textBytes = Math.floor(embeddingsBytes / maxTexts) - 8;
  const texts = (text: string) => `{${model},"input":[${Array.from({ length: maxTexts }, () => text).join()}]}`;
  const bodies = {
    'one text of \\u escapes': fill(`{${model},"input":"`, '\\u0061', '"}', embeddingsBytes),
    'one text of three-byte characters': fill(`{${model},"input":"`, '語', '"}', embeddingsBytes),
    'one text of blanks': fill(`{${model},"input":"`, ' ', 'a"}', embeddingsBytes),
    'one text of escaped quotes, model last': fill('{"input":"', '\\"', `",${model}}`, embeddingsBytes),
    '800,000 distinct keys': distinctKeys(`{${model}`, embeddingsBytes),
    '800,000 distinct keys, model last': distinctKeys('{"input":"a"', embeddingsBytes - 64, `,${model}}`),
    '2,048 padded texts': texts(`"${'a'.padEnd(textBytes)}"`),
    '2,048 texts of three-byte characters': texts(`"${'語'.repeat(Math.floor(textBytes / 3))}"`),
    '2,048 texts, 256 dimensions': texts('"a few words"').replace('{', '{"dimensions":256,'),
    '2,048 arrays of token ids': texts(`[${'7,'.repeat(textBytes / 2)}7]`),
    'millions of texts': fill(`{${model},"input":[""`, ',""', ']}', embeddingsBytes),
    'millions of arrays, model last': fill('{"input":[[]', ',[]', `],${model}}`, embeddingsBytes),
    'a number of 10 MB': fill(`{${model},"input":"a","dimensions":1`, '0', '}', embeddingsBytes),
    'deep nesting': fill(`{${model},"input":`, '['.repeat(900) + ']'.repeat(900) + ',', '"a"}', embeddingsBytes),
  };
  return Object.entries(bodies).map(([name, body]) => ({
    name: `embeddings, ${name}`,
    path: '/v1/embeddings',
    contentType: 'application/json',
    body: Buffer.from(body),
    access: 'key',
  }));
}

function ocrBodies(): LargestBody[] {
  const document = (start: string, unit: string, bytes: number) =>
    fill(`{${ocrModel},"document":{"document_url":"data:;base64,${start}`, unit, '"}}', bytes);
  const json = {
    'a document of 50 MB': document('', 'AAAA', Math.floor((documentBytes * 4) / 3) - 64),
    'a document of 80 MB with escapes': document('', '\\/\\/\\/\\/', ocrBytes),
    'distinct keys': distinctKeys(`{${ocrModel}`, ocrOptionsBytes),
    'distinct keys in the document': distinctKeys(`{${ocrModel},"document":{"type":"file"`, ocrOptionsBytes, '}}'),
    'a list of pages': fill(
      `{${ocrModel},"document":{"document_url":"data:;base64,AAAA"},"pages":[0`,
      ',1',
      ']}',
      ocrOptionsBytes,
    ),
    'pages as text': fill(
      `{${ocrModel},"document":{"document_url":"data:;base64,AAAA"},"pages":"0`,
      ',1',
      '"}',
      ocrOptionsBytes,
    ),
  };
  const form = Buffer.concat([
    Buffer.from('--limit\r\ncontent-disposition: form-data; name="model"\r\n\r\ntesseract\r\n'),
    Buffer.from('--limit\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'),
    Buffer.alloc(documentBytes, '\r\n--limi'),
    Buffer.from('\r\n--limit--\r\n'),
  ]);
  return [
    ...Object.entries(json).map(([name, body]) => ({
      name: `OCR, ${name}`,
      path: '/v1/ocr',
      contentType: 'application/json',
      body: Buffer.from(body),
      access: 'key' as const,
    })),
    {
      name: 'OCR, a form',
      path: '/v1/ocr',
      contentType: 'multipart/form-data; boundary=limit',
      body: form,
      access: 'key',
    },
  ];
}

function managementBodies(): LargestBody[] {
  const bodies: [path: string, name: string, body: string][] = [
    ['/auth/sign-in', 'distinct keys', distinctKeys('{"email":"a@example.com"', managementBytes)],
    ['/auth/sign-in', 'a long password', fill('{"email":"a@example.com","password":"', 'x', '"}', managementBytes)],
    ['/auth/sign-in', 'a long email', fill('{"password":"x","email":"', 'a.', '@example.com"}', managementBytes)],
    ['/api-keys', 'a name of combining marks', fill('{"name":"a', '\u0301', '"}', managementBytes)],
    ['/api-keys', 'a name of blanks', fill('{"name":"a', ' ', 'a"}', managementBytes)],
    ['/api-keys', 'a long time', fill('{"name":"abc","expiresAt":"2026', '1', '"}', managementBytes)],
    ['/api-keys', 'a name that is an object', distinctKeys('{"name":{"a":1', managementBytes, '}}')],
    ['/roles', 'permissions that are objects', fill('{"name":"abc","permissions":[{}', ',{}', ']}', managementBytes)],
    ['/roles', 'permissions', fill('{"name":"abc","permissions":[""', ',""', ']}', managementBytes)],
    [
      '/roles',
      'deep nesting',
      fill('{"name":"abc","permissions":', '[', '', managementBytes / 2) + ']'.repeat(managementBytes / 2 - 40) + '}',
    ],
    ['/members', 'an email of combining marks', fill('{"email":"a', '\u0301', '@example.com"}', managementBytes)],
  ];
  return bodies.map(([path, name, body]) => ({
    name: `${path.slice(1)}, ${name}`,
    path,
    contentType: 'application/json',
    body: Buffer.from(body),
    access: 'member',
  }));
}

/** Repeats the unit up to the given size. */
function fill(start: string, unit: string, end: string, bytes: number): string {
  const room = bytes - Buffer.byteLength(start) - Buffer.byteLength(end);
  return start + unit.repeat(Math.floor(room / Buffer.byteLength(unit))) + end;
}

function distinctKeys(start: string, bytes: number, end = '}'): string {
  const keys: string[] = [];
  for (let size = start.length + end.length, index = 0; size < bytes - 16; index += 1) {
    const key = `,"k${index.toString(36)}":0`;
    keys.push(key);
    size += key.length;
  }
  return start + keys.join('') + end;
}
