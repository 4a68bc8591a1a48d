export type DocumentProblem =
  | 'too-large'
  | 'unsupported-type'
  | 'corrupt'
  | 'encrypted'
  | 'empty'
  | 'too-many-pages'
  | 'too-many-pixels'
  | 'too-much-text'
  | 'too-much-memory'
  | 'page-out-of-range';

/** The document can't be read. The message is for its sender. `too-much-text` is for callers, whose `onPage` may throw it. */
export class DocumentError extends Error {
  override name = 'DocumentError';
  constructor(
    readonly problem: DocumentProblem,
    message: string,
  ) {
    super(message);
  }
}

/** The reader can't work, whatever the document: no worker can start, or the reader is closed. */
export class ReaderFailedError extends Error {
  override name = 'ReaderFailedError';
}

/** The data of a language isn't installed. */
export class MissingLanguageError extends Error {
  override name = 'MissingLanguageError';
  constructor(
    readonly language: string,
    /** The npm package that has the data. */
    readonly packageName: string,
  ) {
    super(`Data for the language ${language} is not installed. Install ${packageName}, or add it to the data folder.`);
  }
}

/** The folder with language data can't be read. */
export class DataFolderError extends Error {
  override name = 'DataFolderError';
}
