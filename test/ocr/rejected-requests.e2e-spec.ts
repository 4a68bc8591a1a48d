import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { call } from '../setup/call.js';
import { errorNaming, type FormFields, inDocument, model, useOcrGateway } from './ocr-gateway.js';

const megabyte = 1024 * 1024;
const service = useOcrGateway();

describe('POST /v1/ocr', () => {
  it('should return 400 listing the installed languages for another language', async () => {
    const response = await service.read({ languages: ['deu', 'tlh'] });
    expect(response.status).toBe(400);
    expect(response.body).toEqual(errorNaming('languages'));
    expect(response.text).toContain(
      "'tlh' is not installed. Installed languages: deu, ell, eng, fra, ita, nld, por, spa.",
    );
  });

  it('should return 413 for a document of more than 50 MB, in JSON and as a form', async () => {
    const large = Buffer.concat([service.png, Buffer.alloc(50 * megabyte + 1 - service.png.length)]);
    const inJson = await service.read({ document: inDocument(large) });
    expect(inJson.status).toBe(413);
    expect(inJson.body).toEqual(errorNaming('document'));
    const asForm = await service.upload([
      ['model', model],
      ['file', large],
    ]);
    expect(asForm.status).toBe(413);
    expect(asForm.body).toEqual(errorNaming('file'));
  });

  it.each<[string, string, object]>([
    ['no model', 'model', { model: undefined }],
    ['a model of another task', 'model', { model: 'universal-sentence-encoder-lite' }],
    ['no document', 'document', { document: undefined }],
    ['a stored file', 'document', { document: { type: 'file', file_id: 'f' } }],
    ['broken base64', 'document', { document: { document_url: 'data:application/pdf;base64,***' } }],
    ['a page that is not there', 'pages', { pages: [3] }],
    ['invalid pages', 'pages', { pages: '2-1' }],
    ['invalid languages', 'languages', { languages: [] }],
    ['an unknown granularity', 'confidence_scores_granularity', { confidence_scores_granularity: 'block' }],
    ['a negative limit of images', 'image_limit', { image_limit: -1 }],
    ['a fraction as size of images', 'image_min_size', { image_min_size: 1.5 }],
    ['tables', 'table_format', { table_format: 'html' }],
    ['an annotation', 'document_annotation_format', { document_annotation_format: { type: 'json_schema' } }],
    ['an unknown field', 'language', { language: 'en' }],
  ])('should return 400 naming the parameter for %s', async (_title, param, fields) => {
    const response = await service.read(fields);
    expect(response.status).toBe(400);
    expect(response.body).toEqual(errorNaming(param));
  });

  it.each(['plain text', 'GIF89a without an image'])(
    'should return 422 unreadable_document for content that is not a document: %s',
    async (text) => {
      const response = await service.read({ document: inDocument(Buffer.from(text)) });
      expect(response.status).toBe(422);
      expect(response.body).toEqual(errorNaming('document', 'unreadable_document'));
    },
  );

  it('should return 422 for an empty document, in JSON and as a form', async () => {
    const inJson = await service.read({ document: { document_url: 'data:application/pdf;base64,' } });
    const asForm = await service.upload([
      ['model', model],
      ['file', Buffer.alloc(0)],
    ]);
    for (const response of [inJson, asForm]) {
      expect(response.status).toBe(422);
      expect(response.body).toEqual(errorNaming('document', 'unreadable_document'));
    }
  });

  it('should return 404 for an unknown model, in JSON and as a form', async () => {
    const inJson = await service.read({ model: 'mistral-ocr-latest' });
    const asForm = await service.upload([
      ['model', 'mistral-ocr-latest'],
      ['file', service.pdf],
    ]);
    for (const response of [inJson, asForm]) {
      expect(response.status).toBe(404);
      expect(response.body).toEqual(errorNaming('model', 'model_not_found'));
    }
  });

  const json = { 'content-type': 'application/json' };
  it.each<[number, string, string, Record<string, string>]>([
    [400, 'is broken', '{"model":', json],
    [400, 'is an array', '[]', json],
    [400, 'is missing', '', json],
    [400, 'is a form without boundary', 'x', { 'content-type': 'multipart/form-data' }],
    [400, 'is an incomplete form', '--x\r\n', { 'content-type': 'multipart/form-data; boundary=x' }],
    [413, 'is large without a document', `{"model":"${model}","pages":"${'1'.repeat(2 * megabyte)}"}`, json],
    [413, 'is larger than 80 MB', 'x'.repeat(80 * megabyte + 1), json],
    [415, 'has no content type', 'x', { 'content-type': '' }],
    [415, 'is the document alone', 'x', { 'content-type': 'application/pdf' }],
  ])("should return %i in OpenAI's envelope if the body %s", async (status, _title, rawBody, headers) => {
    const response = await call(service.url, 'POST /v1/ocr', { token: service.key, rawBody, headers });
    expect(response.status).toBe(status);
    expect(response.body).toEqual(errorNaming(null));
  });

  it('should return 401 without a key, before reading the body', async () => {
    const response = await call(service.url, 'POST /v1/ocr', { rawBody: 'not JSON', headers: json });
    expect(response.status).toBe(401);
  });
});

describe('POST /v1/ocr with a form', () => {
  it.each<[string, string, FormFields]>([
    ['no file', 'file', [['model', model]]],
    [
      'two files',
      'file',
      [
        ['model', model],
        ['file', Buffer.from('a')],
        ['file', Buffer.from('b')],
      ],
    ],
    ['no model', 'model', [['file', Buffer.from('a')]]],
    [
      'an unknown field',
      'table_format',
      [
        ['model', model],
        ['table_format', 'html'],
        ['file', Buffer.from('a')],
      ],
    ],
  ])('should return 400 naming the field for %s', async (_title, param, fields) => {
    const response = await service.upload(fields);
    expect(response.status).toBe(400);
    expect(response.body).toEqual(errorNaming(param));
  });
});

describe('A client that disconnects', () => {
  const head = (headers: string) =>
    `POST /v1/ocr HTTP/1.1\r\nhost: keycard\r\nx-api-key: ${service.key}\r\n${headers}\r\n\r\n`;

  /** Sends bytes and disconnects when the server starts serving the request. */
  async function abandon(bytes: string): Promise<void> {
    const server = service.app.getHttpServer();
    const requested = once(server, 'request');
    const client: Socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    client.write(bytes);
    await requested;
    const [connection] = (await once(client.destroy(), 'close').then(() => requested)) as [{ socket: Socket }];
    if (!connection.socket.destroyed) await new Promise((resolve) => connection.socket.once('close', resolve));
  }

  it.each([
    ['JSON', 'content-type: application/json\r\ncontent-length: 1000000', '{"model":"tesseract","document":'],
    [
      'a form',
      'content-type: multipart/form-data; boundary=x\r\ncontent-length: 1000000',
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n%PDF',
    ],
  ])('should not disturb later requests if it stops in the middle of %s', async (_title, headers, beginning) => {
    await abandon(head(headers) + beginning);
    expect((await service.read({ pages: [0] })).status).toBe(200);
    expect(service.logLines.join('')).not.toContain('"level":50');
  });
});
