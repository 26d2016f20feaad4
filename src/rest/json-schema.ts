/** Types and helpers for JSON Schema (draft 2020-12), as used by OpenAPI 3.1. */
export type JsonSchema = { [keyword: string]: unknown };

/** Adds a description to a schema. References are wrapped, because tools ignore descriptions next to a reference. */
export function described(schema: JsonSchema, description: string | null | undefined): JsonSchema {
  if (description === null || description === undefined || description === '') return schema;
  return schema['$ref'] === undefined ? { ...schema, description } : { allOf: [schema], description };
}

/** Resolves a reference, including a reference wrapped in `allOf`. Returns other schemas unchanged. */
export function resolved(components: Readonly<Record<string, JsonSchema>>, schema: JsonSchema): JsonSchema {
  const { $ref, allOf } = schema as { $ref?: string; allOf?: readonly JsonSchema[] };
  if (allOf?.[0] !== undefined) return resolved(components, allOf[0]);
  return $ref === undefined ? schema : resolved(components, components[$ref.split('/').at(-1) ?? ''] ?? {});
}
