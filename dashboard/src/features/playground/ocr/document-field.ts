/** Where a request has its document: servers of others tell images from documents by it. */
export function documentField({ type }: Pick<File, 'type'>): 'image_url' | 'document_url' {
  return type.startsWith('image/') ? 'image_url' : 'document_url';
}
