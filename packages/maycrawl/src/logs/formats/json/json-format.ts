// Formats of one JSON object a line.
import type { LineContents, LogFormat } from '../log-format.ts';
import { JsonReader } from './json-reader.ts';
import type { JsonFormatSpec } from './json-spec.ts';

export function createJsonFormat(spec: JsonFormatSpec): LogFormat {
  return {
    name: spec.name,
    has: getContents(spec),
    hasHeader: false,
    getHeaderAfter: (_, header) => header,
    createReader: (options) => new JsonReader(spec, options),
  };
}

function getContents({ fields }: JsonFormatSpec): LineContents {
  return {
    address: fields.address !== undefined || fields.peer !== undefined,
    host: fields.hostHeader !== undefined || fields.requestHost !== undefined,
    userAgent: fields.userAgent !== undefined,
    status: fields.status !== undefined,
    signature: fields.signature !== undefined && fields.signatureInput !== undefined,
  };
}
