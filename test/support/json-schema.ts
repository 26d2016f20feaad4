import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from '../../src/rest/openapi.ts';

/** Tells what is wrong with a value, one line per violation; nothing when it fits. */
export type Problems = (schema: object, value: unknown) => string[];

/** A validator for the schemas of a document, of draft 2020-12 with formats, as OpenAPI 3.1 has them. */
export function problemsIn(document: OpenApiDocument): Problems {
  // The types of the package describe its CommonJS form.
  const formats = addFormats as unknown as (ajv: Ajv2020) => void;
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  formats(ajv);
  ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
  ajv.addSchema({ $id: 'document', components: document.components });
  const compiled = new Map<string, ValidateFunction>();
  return (schema, value) => {
    // One reference is written in many places, and compiling is what takes time.
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object);
    compiled.set(text, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}
