/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 uses it. */
export type JsonSchema = { [keyword: string]: unknown };

/** The schema with a description. A reference gets none beside it, since tools ignore what stands there. */
export function described(schema: JsonSchema, description: string | null | undefined): JsonSchema {
  if (description === null || description === undefined || description === '') return schema;
  return schema['$ref'] === undefined ? { ...schema, description } : { allOf: [schema], description };
}

/** The schema that a reference names, or that stands alone in an `allOf`; any other schema is answered itself. */
export function resolved(components: Readonly<Record<string, JsonSchema>>, schema: JsonSchema): JsonSchema {
  const { $ref, allOf } = schema as { $ref?: string; allOf?: readonly JsonSchema[] };
  if (allOf?.[0] !== undefined) return resolved(components, allOf[0]);
  return $ref === undefined ? schema : resolved(components, components[$ref.split('/').at(-1) ?? ''] ?? {});
}
