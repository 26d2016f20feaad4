import type { JsonSchema } from './json-schema.ts';

/** Properties of an OpenAPI operation that the reference pages use. */
export type OpenApiOperation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly JsonSchema[];
  readonly requestBody?: JsonSchema;
  readonly responses: Readonly<Record<string, JsonSchema>>;
  readonly security: readonly JsonSchema[];
  /** Example request as a shell command. */
  readonly 'x-codeSamples': readonly {
    readonly lang: string;
    readonly label: string;
    readonly source: string;
  }[];
};
