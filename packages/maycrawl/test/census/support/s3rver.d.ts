declare module 's3rver' {
  /** A server with the interface of S3 that stores objects in a folder. Its credentials are S3RVER and S3RVER. */
  // biome-ignore lint/style/noDefaultExport: s3rver exports its class by default.
  export default class S3rver {
    constructor(options: {
      readonly address: string;
      readonly port: number;
      readonly silent: boolean;
      readonly directory: string;
      readonly configureBuckets: readonly { readonly name: string; readonly configs: readonly string[] }[];
    });
    run(): Promise<{ readonly port: number }>;
    close(): Promise<void>;
  }
}
