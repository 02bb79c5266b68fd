// Requests of Amazon S3 and services with its interface: addresses, signatures (Signature Version 4), and what its errors mean.
import { readStart } from '@maycrawl/core/internal';
import { AwsV4Signer } from 'aws4fetch';
import { RemoteError, type S3Options } from './remote-options.ts';

const REGION = 'us-east-1';
/** Bytes of the description of an error. */
const MAX_ERROR_BYTES = 4096;
/** What to do about errors, by their codes. */
const ADVICE: Readonly<Record<string, string>> = {
  SignatureDoesNotMatch: 'check AWS_SECRET_ACCESS_KEY',
  InvalidAccessKeyId: 'check AWS_ACCESS_KEY_ID',
  ExpiredToken: 'renew AWS_SESSION_TOKEN',
  InvalidToken: 'check AWS_SESSION_TOKEN',
  RequestTimeTooSkewed: 'set the clock of this machine',
};

/** Creates the URL and the headers of a request. @param path - `s3://BUCKET/KEY`. @throws {RemoteError} if the options are invalid. */
export async function createS3Request(
  path: string,
  options: S3Options = {},
): Promise<{ readonly url: string; readonly headers: Readonly<Record<string, string>> }> {
  const url = toS3Url(path, options);
  const { accessKeyId, secretAccessKey, sessionToken, region = REGION } = options;
  if (accessKeyId === undefined && secretAccessKey === undefined) return { url, headers: {} };
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw createOptionError('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together');
  try {
    const token = sessionToken === undefined ? {} : { sessionToken };
    const signer = new AwsV4Signer({ url, accessKeyId, secretAccessKey, ...token, region, service: 's3' });
    return { url, headers: Object.fromEntries((await signer.sign()).headers) };
  } catch {
    // The message of the error can quote a secret.
    throw createOptionError('AWS_ACCESS_KEY_ID or AWS_SESSION_TOKEN has characters that cannot be sent');
  }
}

/** Describes a response without success. */
export async function describeS3Failure(
  response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
    readonly body: AsyncIterable<Uint8Array>;
  },
  options: S3Options = {},
): Promise<string> {
  const text = Buffer.from(await readStart(response.body, MAX_ERROR_BYTES)).toString();
  const [, code] = /<Code>([A-Za-z]{1,64})<\/Code>/.exec(text) ?? [];
  const [region] = [response.headers['x-amz-bucket-region'] ?? []].flat();
  const status = `status ${response.status}${code === undefined ? '' : `, ${code}`}`;
  const used = options.region ?? REGION;
  if (region !== undefined && region !== used && /^[a-z0-9-]{1,40}$/.test(region))
    return `${status}: the bucket is in the region ${region}, so set AWS_REGION`;
  const isRefused = response.status === 401 || response.status === 403;
  const advice =
    isRefused && options.accessKeyId === undefined
      ? 'the request had no signature, so set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'
      : ADVICE[code ?? ''];
  return advice === undefined ? status : `${status}: ${advice}`;
}

/** Returns the https URL of an object, or that at the endpoint. */
function toS3Url(path: string, { endpoint, region = REGION }: S3Options): string {
  const [, bucket = '', key = ''] = /^s3:\/\/([^/]+)\/(.+)$/is.exec(path) ?? [];
  const encodedKey = key.split('/').map(encodeSegment).join('/');
  if (endpoint !== undefined) {
    if (!/^https?:\/\//i.test(endpoint) || !URL.canParse(endpoint))
      throw createOptionError('AWS_ENDPOINT_URL is not an http or https URL');
    return `${endpoint.replace(/\/$/, '')}/${bucket}/${encodedKey}`;
  }
  if (!/^[a-z0-9-]{1,40}$/.test(region)) throw createOptionError('AWS_REGION is not the name of a region');
  // The certificate of the service is for one label before its name.
  return /^[a-z0-9-]+$/.test(bucket)
    ? `https://${bucket}.s3.${region}.amazonaws.com/${encodedKey}`
    : `https://s3.${region}.amazonaws.com/${bucket}/${encodedKey}`;
}

/** Encodes a part of a key (RFC 3986), so that the URL is the one that is signed. */
function encodeSegment(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function createOptionError(message: string): RemoteError {
  return new RemoteError(message, { isPermanent: true });
}
