import { isNonNullType } from 'graphql';
import type { JsonSchema } from './json-schema.ts';
import type { Schemas } from './openapi-schemas.ts';
import type { RouteInput } from './routes.ts';

/** True if every request must contain the input. */
export const isRequired = (input: RouteInput): boolean =>
  isNonNullType(input.definition.type) && input.definition.defaultValue === undefined;

/** Returns an OpenAPI parameter for a path or query input. `more` is merged into its schema. */
export function parameterOf(
  schemas: Schemas,
  input: RouteInput,
  example: unknown,
  more: JsonSchema = {},
): JsonSchema {
  const { description, ...schema } = schemas.input(input.definition);
  const isList = schema['type'] === 'array';
  const shown = isList && typeof example === 'string' ? example.split(',') : example;
  return {
    name: input.name,
    in: input.place,
    required: input.place === 'path' || isRequired(input),
    ...(description === undefined ? {} : { description }),
    schema: { ...schema, ...more },
    ...(shown === undefined ? {} : { example: shown }),
    // Declares list parameters as comma-separated.
    ...(isList ? { style: 'form', explode: false } : {}),
  };
}
