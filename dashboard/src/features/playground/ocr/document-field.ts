/** The request field for a document. Upstream servers distinguish images from other documents by it. */
export function documentField({ type }: Pick<File, 'type'>): 'image_url' | 'document_url' {
  return type.startsWith('image/') ? 'image_url' : 'document_url';
}
