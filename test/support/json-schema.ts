import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from '../../src/rest/openapi.ts';

/** Validates a value against a JSON schema. Returns one line per violation. */
export type Problems = (schema: object, value: unknown) => string[];

/** Validator for the schemas in an OpenAPI 3.1 document: JSON Schema draft 2020-12 with formats. */
export function problemsIn(document: OpenApiDocument): Problems {
  // The cast is needed because the package's type declarations describe its CommonJS export.
  const formats = addFormats as unknown as (ajv: Ajv2020) => void;
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  formats(ajv);
  ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
  ajv.addSchema({ $id: 'document', components: document.components });
  const compiled = new Map<string, ValidateFunction>();
  return (schema, value) => {
    // Resolves references against the whole document, so each referenced schema is compiled only once.
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object);
    compiled.set(text, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}
