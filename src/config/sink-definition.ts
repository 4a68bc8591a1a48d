/** What a sink needs, with secrets and certificates read. */
export type SinkDefinition = HttpsSinkDefinition | S3SinkDefinition | SyslogSinkDefinition | FileSinkDefinition;

export interface HttpsSinkDefinition {
  readonly name: string;
  readonly type: 'https';
  readonly url: string;
  /** Signs requests; `whsec_` and base64. */
  readonly secret: string;
  /** PEM; undefined: the public authorities. */
  readonly ca?: string | undefined;
}

export interface S3SinkDefinition {
  readonly name: string;
  readonly type: 's3';
  readonly bucket: string;
  readonly region: string;
  /** Of a service other than Amazon's. */
  readonly endpoint?: string | undefined;
  readonly prefix: string;
  /** Undefined: the client's own sources, such as the role of the machine. */
  readonly accessKeyId?: string | undefined;
  readonly secretAccessKey?: string | undefined;
  readonly everySeconds: number;
}

export interface SyslogSinkDefinition {
  readonly name: string;
  readonly type: 'syslog';
  readonly host: string;
  readonly port: number;
  readonly ca?: string | undefined;
}

export interface FileSinkDefinition {
  readonly name: string;
  readonly type: 'file';
  readonly path: string;
}
