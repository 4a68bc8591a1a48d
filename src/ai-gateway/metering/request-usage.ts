/** What a request has used so far; what serves the request fills it in. */
export interface RequestUsage {
  /** Id of the model in the catalogue. */
  readonly model: string;
  inputTokens: number;
  /** Pages of documents that were read. */
  pages: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set as soon as the model is known; from then on the request is accounted for, however it ends. */
    usage: RequestUsage | undefined;
  }
}
