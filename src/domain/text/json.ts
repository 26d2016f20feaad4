type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** JSON object whose keys the API client chooses. */
export type Metadata = { readonly [key: string]: Json };

/** Maximum number of metadata keys per object. */
export const maxMetadataKeys = 50;

/** Maximum size of an object's metadata in bytes, as JSON in UTF-8. */
const maxMetadataBytes = 65_536;

/**
 * Returns the limit that metadata exceeds, as a phrase that follows the field name. `null` if the metadata is
 * valid (PLT-20b).
 */
export function metadataViolation(metadata: object): string | null {
  if (Object.keys(metadata).length > maxMetadataKeys) return `must have at most ${maxMetadataKeys} keys`;
  const bytes = new TextEncoder().encode(JSON.stringify(metadata)).length;
  return bytes > maxMetadataBytes ? "can't exceed 64 KiB as JSON" : null;
}

/** Returns the JSON text of a value with sorted object keys, so that equal values have the same JSON. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  let members = '';
  for (const name of Object.keys(value).sort())
    members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(value[name as keyof typeof value])}`;
  return `{${members}}`;
}
