// Refuses query parameters and properties that the schemas of a route do not have, with the nearest name that they have. The OpenAPI document
// is created from the same schemas.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifySchema, FastifySchemaValidationError, RouteOptions } from 'fastify';
import { describeUnknownName, findUnknownName } from '../http/known-names.ts';
import { Problem } from '../http/problems.ts';

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  /** Schemas by media type. */
  readonly content?: Readonly<Record<string, { readonly schema: ObjectSchema }>>;
}

/** Adds the check to all routes of the API. It comes before validation, because a misspelled name is also a missing one. */
export function refuseUnknownNames(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith('/v1/')) return;
    const { querystring, body } = (route.schema ?? {}) as FastifySchema;
    const parameters = getNames(querystring) ?? [];
    const properties = getNames(body);
    addPreValidation(route, (request, _reply, done) => {
      const unknown =
        findUnknownName(request.query, parameters, 'query parameter') ??
        // A body of lines is a stream.
        (properties === undefined || request.body instanceof Readable
          ? undefined
          : findUnknownName(request.body, properties, 'property'));
      done(unknown);
    });
  });
}

function getNames(schema: unknown): string[] | undefined {
  const { properties, content } = (schema ?? {}) as ObjectSchema;
  const names = properties ?? content?.['application/json']?.schema.properties;
  return names && Object.keys(names);
}

/** Adds a hook after those that a route has. */
export function addPreValidation(
  route: RouteOptions,
  hook: Extract<NonNullable<RouteOptions['preValidation']>, (...all: never[]) => unknown>,
): void {
  route.preValidation = [route.preValidation ?? [], hook].flat() as NonNullable<typeof route.preValidation>;
}

/** Creates the error of a value that a schema refuses. @param where - `querystring` or `body`. */
export function toValidationProblem(errors: readonly FastifySchemaValidationError[], where: string): Problem {
  const texts = errors.map(({ instancePath, message, params, ...error }) => {
    const { parentSchema } = error as { readonly parentSchema?: ObjectSchema };
    const { additionalProperty } = params;
    const unknown =
      typeof additionalProperty === 'string' &&
      describeUnknownName([additionalProperty], Object.keys(parentSchema?.properties ?? {}), 'property');
    return unknown ? `${where}${instancePath}: ${unknown}` : `${where}${instancePath} ${message}`;
  });
  return new Problem('invalid-request', texts.join(', '));
}
