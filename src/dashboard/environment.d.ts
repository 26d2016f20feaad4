/** Object types of each interface and union in the schema. For `Node`, these are all types with an ID. Inserted when the browser code is built. */
declare const possibleTypes: Readonly<Record<string, readonly string[]>>;
