import { bearer, type UpstreamProtocol, useModelOfTarget } from '../../upstreams/upstream-protocol.js';

/** Mistral's `POST /ocr`. */
export const ocrProtocol: UpstreamProtocol = {
  task: 'ocr',
  path: '/ocr',
  authenticate: bearer,
  edit: useModelOfTarget,
  usageFields: new Map([['usage_info.pages_processed', 'pages']]),
};
