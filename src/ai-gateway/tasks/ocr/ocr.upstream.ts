import { bearer, type UpstreamProtocol } from '../../upstreams/upstream-protocol.js';

/** Mistral's `POST /ocr`. */
export const ocrProtocol: UpstreamProtocol = {
  task: 'ocr',
  path: '/ocr',
  authenticate: bearer,
  usageFields: new Map([['usage_info.pages_processed', 'pages']]),
};
